-- One whole session of nvim-dap with npdb: a breakpoint, a step, a step back, a value, the end.
--
--   NPDB=… NPDB_PYTHON=… PROGRAM=…/steps.py nvim --headless --clean --cmd 'set rtp+=NVIM-DAP' -c 'luafile session.lua'
--
-- It prints what it saw, a line for each stop, and exits with 0 if that is as expected.

local dap = require("dap")
local want = {
  "breakpoint 7",
  "next 8",
  "step back 7",
  "a = 0",
  "reverse continue 7, n = 0",
  "end",
}
local seen = {}

local function finish()
  local wrong = table.concat(seen, "; ") ~= table.concat(want, "; ")
  io.stdout:write("nvim-dap: " .. table.concat(seen, "; ") .. "\n")
  if wrong then
    io.stdout:write("want:     " .. table.concat(want, "; ") .. "\n")
  end
  vim.cmd(wrong and "cquit!" or "qall!")
end

dap.adapters.npdb = { type = "executable", command = vim.env.NPDB, args = { "dap" } }

local function line(session)
  return session.current_frame and session.current_frame.line or 0
end

local function value(session, expression, done)
  session:request("evaluate", { expression = expression, context = "watch", frameId = session.current_frame.id }, function(err, response)
    done(err and vim.inspect(err) or response.result)
  end)
end

local stops = 0
dap.listeners.after.stackTrace["scenario"] = function(session, err, response)
  if err or not response then
    return
  end
  -- nvim-dap sets current_frame after the listeners of this response have run.
  vim.schedule(function()
    stops = stops + 1
    if stops == 1 then
      table.insert(seen, "breakpoint " .. line(session))
      dap.step_over()
    elseif stops == 2 then
      table.insert(seen, "next " .. line(session))
      dap.step_back()
    elseif stops == 3 then
      table.insert(seen, "step back " .. line(session))
      value(session, "a", function(text)
        table.insert(seen, "a = " .. text)
        session:_step("continue")
      end)
    elseif stops == 4 then
      dap.reverse_continue()
    elseif stops == 5 then
      value(session, "n", function(text)
        table.insert(seen, "reverse continue " .. line(session) .. ", n = " .. text)
        dap.clear_breakpoints() -- tells the session
        session:_step("continue")
      end)
    end
  end)
end

dap.listeners.before.event_terminated["scenario"] = function()
  table.insert(seen, "end")
  vim.schedule(finish)
end

vim.cmd("edit " .. vim.env.PROGRAM)
vim.api.nvim_win_set_cursor(0, { 7, 0 })
dap.toggle_breakpoint()
dap.run({ type = "npdb", request = "launch", name = "npdb", program = vim.env.PROGRAM, python = vim.env.NPDB_PYTHON })

vim.defer_fn(function()
  table.insert(seen, "too late")
  finish()
end, 60000)
