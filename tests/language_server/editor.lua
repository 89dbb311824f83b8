-- SPDX-License-Identifier: Apache-2.0
-- What a user does in Neovim, by its own client: run by editor_test.sh in a folder that has move.cl and shared.h open.
local function say(what, value)
  io.stdout:write(what .. ": " .. vim.inspect(value):gsub("%s+", " ") .. "\n")
end

local function check(what, found, expected)
  say(what, found)
  if not vim.deep_equal(found, expected) then
    say("EXPECTED", expected)
    vim.cmd("cquit 1")
  end
end

local function main()
  local buffer = vim.api.nvim_get_current_buf()
  local client_id = vim.lsp.start_client({
    name = "clc2spv",
    cmd = { vim.env.CLC2SPV, "--lsp" },
    root_dir = vim.fn.getcwd(),
  })
  vim.lsp.buf_attach_client(buffer, client_id)
  local client = vim.lsp.get_client_by_id(client_id)

  -- What publishDiagnostics brings
  local function messages()
    local texts = {}
    for _, d in ipairs(vim.diagnostic.get(buffer)) do
      table.insert(texts, { d.lnum, d.code or "", d.message })
    end
    table.sort(texts, function(a, b) return a[1] < b[1] end)
    return texts
  end
  local function wait_for(expected)
    vim.wait(20000, function() return vim.deep_equal(messages(), expected) end, 5)
    check("diagnostics", messages(), expected)
  end
  local unused = { 3, "-Wunused-variable", "unused variable 'unused'" }
  wait_for({ unused, { 4, "", "implicit declaration of function 'wieght' is invalid in OpenCL; did you mean 'weight'?" } })

  local function at(line, character)
    return {
      textDocument = vim.lsp.util.make_text_document_params(buffer),
      position = { line = line, character = character },
    }
  end
  local function request(method, params)
    local replies = vim.lsp.buf_request_sync(buffer, method, params, 20000)
    return replies and replies[client_id] and replies[client_id].result
  end

  -- A fix-it as a code action
  local params = at(4, 41)
  params.range = { start = params.position, ["end"] = params.position }
  params.context = { diagnostics = {} }
  local actions = request("textDocument/codeAction", params)
  check("code action", actions[1].title, "replace with 'weight'")
  vim.lsp.util.apply_workspace_edit(actions[1].edit, client.offset_encoding)
  check("line", vim.api.nvim_buf_get_lines(buffer, 4, 5, true)[1], "    out[get_global_id(0)] = weight(n) + weight(1);")
  wait_for({ unused })

  -- An edit by the client's incremental changes, with characters beyond ASCII before it on the line
  vim.api.nvim_buf_set_lines(buffer, 3, 4, true, { "    /* \240\159\152\128 \195\169 */ int used = n;" })
  wait_for({ { 3, "-Wunused-variable", "unused variable 'used'" } })
  local begin = vim.api.nvim_buf_get_lines(buffer, 3, 4, true)[1]:find("used")  -- in bytes, from 1
  vim.api.nvim_buf_set_text(buffer, 3, begin - 1, 3, begin + 3, { "other" })
  wait_for({ { 3, "-Wunused-variable", "unused variable 'other'" } })
  vim.api.nvim_buf_set_lines(buffer, 3, 4, true, {})
  wait_for({})

  local hover = request("textDocument/hover", at(3, 12))
  check("hover", vim.split(hover.contents.value, "\n")[2], "ulong get_global_id(uint)")
  check("definition", request("textDocument/definition", at(3, 30)).range.start, { line = 1, character = 6 })
  check("declaration", request("textDocument/declaration", at(3, 30)).uri, vim.uri_from_fname(vim.fn.getcwd() .. "/shared.h"))

  -- Completion where a user types
  vim.api.nvim_buf_set_lines(buffer, 3, 3, true, { "    work_group_ba" })
  local items = request("textDocument/completion", at(3, 17))
  check("completion", items.items[1].label, "work_group_barrier")
  vim.api.nvim_buf_set_lines(buffer, 3, 4, true, {})

  -- Rename, in the header too
  vim.lsp.util.apply_workspace_edit(
    request("textDocument/rename", vim.tbl_extend("force", at(1, 8), { newName = "heaviness" })), client.offset_encoding)
  wait_for({})
  vim.cmd("wall")
  check("line", vim.api.nvim_buf_get_lines(buffer, 1, 2, true)[1], "float heaviness(float x) { return x * 2; }")

  client.stop()
  check("ended", vim.wait(20000, function() return client.is_stopped() end, 5), true)
end

local good, fault = pcall(main)
if not good then
  io.stdout:write(tostring(fault) .. "\n")
  vim.cmd("cquit 1")
end
vim.cmd("qall!")
