// A client of the official TypeScript SDK (v1) that calls every tool and wants the answers testdata/clients/person gives.
//   node sdk.mjs stdio CHOICETUI QUEUE
//   node sdk.mjs http URL TOKEN
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';

const from = createRequire(join(process.env.PACKAGES, 'index.js'));
const sdk = (path) => import(pathToFileURL(from.resolve(`@modelcontextprotocol/sdk/${path}`)));
const { Client } = await sdk('client/index.js');
const { StdioClientTransport } = await sdk('client/stdio.js');
const { StreamableHTTPClientTransport } = await sdk('client/streamableHttp.js');

const [kind, where, extra] = process.argv.slice(2);
const lost = [];

function transport() {
  if (kind === 'stdio') return new StdioClientTransport({ command: where, args: ['--queue', extra, 'mcp'] });
  return new StreamableHTTPClientTransport(new URL(where), { requestInit: { headers: { Authorization: `Bearer ${extra}` } } });
}

const client = new Client({ name: 'claude-code', version: '0' }); // a client whose waits have no soft limit
client.onerror = (error) => lost.push(String(error));
await client.connect(transport());

const options = [
  { id: 'pg', label: 'PostgreSQL', description: 'one more service', recommended: true },
  { id: 'lite', label: 'SQLite', description: 'one file' },
];
let progress = 0;

async function call(name, args) {
  const result = await client.callTool({ name, arguments: args }, undefined,
    { timeout: 120_000, resetTimeoutOnProgress: true, onprogress: () => { progress++; } });
  assert.equal(result.isError ?? false, false, JSON.stringify(result));
  assert.ok(result.content[0].text, 'some clients show the text only');
  return { text: result.content[0].text, ...result.structuredContent };
}

function said(tool, answer) {
  console.log(`ok   sdk ${kind.padEnd(5)} ${tool.padEnd(18)} ${answer}`);
}

const { tools } = await client.listTools(); // from here on the SDK checks every structuredContent against its schema
const names = tools.map((t) => t.name).sort();
for (const t of tools) assert.ok(t.description && t.inputSchema && t.outputSchema && t.annotations.readOnlyHint, t.name);
said('tools/list', names.join(' '));

const called = new Set();
async function each(tool, answer) {
  assert.ok(names.includes(tool), `${tool} is not offered`);
  called.add(tool);
  said(tool, await answer());
}

await each('provide_choice', async () => {
  const r = await call('provide_choice', { title: 'Second one', prompt: 'Which store?', selection_mode: 'single', options });
  assert.equal(r.action_status, 'selected');
  assert.deepEqual(r.selection.selected_ids, ['lite']);
  return r.selection.selected_ids.join();
});
await each('requestUserChoice', async () => {
  const r = await call('requestUserChoice', { question: 'First one', options: [
    { title: 'Keep the old name', description: 'nothing breaks', isRecommended: true }, { title: 'Rename it', description: 'callers change' }] });
  assert.equal(r.text, 'Keep the old name');
  return r.text;
});
await each('hitl_request', async () => {
  const r = await call('hitl_request', { question: 'Confirm one', options: ['Deploy now', 'Wait'], requireConfirmation: true, confirmationMessage: 'This goes live.' });
  assert.equal(r.status, 'confirmed');
  assert.equal(r.selectedOption, 'Deploy now');
  assert.equal(r.source, 'user');
  return `${r.selectedOption}, ${r.status}`;
});
await each('ask_user_question', async () => {
  const r = await call('ask_user_question', { questions: [
    { question: 'Two of them: which store?', header: 'Store', multiSelect: false, options: [{ label: 'PostgreSQL', description: 'a service' }, { label: 'SQLite', description: 'a file' }] },
    { question: 'Which cache?', header: 'Cache', multiSelect: false, options: [{ label: 'None', description: 'simple' }, { label: 'Redis', description: 'fast' }] }] });
  assert.deepEqual(Object.keys(r.answers).sort(), ['Two of them: which store?', 'Which cache?']);
  return JSON.stringify(r.answers);
});
await each('poll_selection', async () => {
  const asked = await call('provide_choice', { title: 'Handed off', prompt: 'Which store?', selection_mode: 'single', options, transport: 'terminal' });
  assert.equal(asked.action_status, 'pending_terminal_launch');
  const r = await call('poll_selection', { session_id: asked.session_id, wait_seconds: 60 });
  assert.equal(r.action_status, 'selected');
  assert.deepEqual(r.selection.selected_ids, ['pg']);
  return `${asked.action_status} → ${r.selection.selected_ids.join()}`;
});
await each('next_message', async () => {
  const r = await call('next_message', { wait_seconds: process.env.CHAT ? 60 : 0 });
  if (!process.env.CHAT) return 'nothing was said';
  assert.match(r.text, /use the small one/);
  return JSON.stringify(r.text);
});

assert.deepEqual(names.filter((n) => !called.has(n)), [], 'every tool is called');
assert.ok(progress > 0, 'progress arrived');
if (kind === 'http') await client.transport.terminateSession();
await client.close();
assert.deepEqual(lost, [], 'the SDK complained');
