crosstalk_mpi_script(test_campaign 120 ANALYSIS CAMPAIGN)
