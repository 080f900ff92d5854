
local paths = {}
function prepend_path(name, path) paths[#paths + 1] = name .. "=" .. path end
function help(text) end
function whatis(text) end
function conflict(name) assert(name == "crosstalk") end
function pathJoin(a, b) return a .. "/" .. b end
dofile(arg[1])
print(table.concat(paths, "\n"))
