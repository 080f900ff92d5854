"""The links between switches in a .ports.json as a table for 'crosstalk topology --utilization'."""
import csv
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    links = json.load(file)["links"]
table = csv.writer(sys.stdout, lineterminator="\n")
table.writerow(["from", "to", "utilization"])
table.writerows([link["from"], link["to"], link["busy_fraction"]] for link in links)
