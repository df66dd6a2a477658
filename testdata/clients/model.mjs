// A model on loopback with one thing to say, so that real agents run without an account: it asks once by the tool
// provide_choice, and then repeats what came back. It speaks OpenAI's responses (Codex) and chat completions
// (opencode), and Gemini's generateContent.
//
//   node model.mjs PORTFILE    writes the port that it listens on into PORTFILE
import http from 'node:http';
import fs from 'node:fs';

const asks = {
  title: 'Which store?', prompt: 'An agent of the tests asks.', selection_mode: 'single',
  options: [{ id: 'pg', label: 'PostgreSQL', recommended: true }, { id: 'lite', label: 'SQLite' }],
};
let calls = 0;

// say is what comes next: the call, or the results of the one that was made. tools: those the agent offers.
function say(tools, results) {
  const tool = tools.find((t) => t.name.endsWith('provide_choice'));
  if (!tools.length) return { text: 'a title' };
  if (results.length) return { text: 'GOT ' + results.join(' ') };
  if (!tool) return { text: 'NO TOOL among ' + tools.map((t) => t.name).join(' ') };
  return { tool, id: 'call_' + ++calls };
}

const text = (c) => (typeof c === 'string' ? c : JSON.stringify(c));

function responses(body, send) {
  const tools = (body.tools ?? []).flatMap((t) =>
    t.type === 'namespace' ? t.tools.map((u) => ({ name: u.name, namespace: t.name })) : [{ name: t.name ?? t.type }]);
  const results = (body.input ?? []).filter((m) => m.type === 'function_call_output').map((m) => text(m.output));
  const s = say(tools, results);
  const item = s.tool
    ? { type: 'function_call', id: 'fc_' + s.id, call_id: s.id, ...s.tool, arguments: JSON.stringify(asks) }
    : { type: 'message', id: 'm', role: 'assistant', content: [{ type: 'output_text', text: s.text, annotations: [] }] };
  const usage = { input_tokens: 1, input_tokens_details: { cached_tokens: 0 }, output_tokens: 1,
    output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 2 };
  for (const event of [
    { type: 'response.created', response: { id: 'r' } },
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { id: 'r', output: [item], usage } },
  ]) send(event, event.type);
}

function chat(body, send) {
  const tools = (body.tools ?? []).map((t) => ({ name: t.function.name }));
  const s = say(tools, body.messages.filter((m) => m.role === 'tool').map((m) => text(m.content)));
  const delta = s.tool
    ? { role: 'assistant', tool_calls: [{ index: 0, id: s.id, type: 'function',
        function: { name: s.tool.name, arguments: JSON.stringify(asks) } }] }
    : { role: 'assistant', content: s.text };
  const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: body.model };
  send({ ...chunk, choices: [{ index: 0, delta, finish_reason: null }] });
  send({ ...chunk, choices: [{ index: 0, delta: {}, finish_reason: s.tool ? 'tool_calls' : 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } });
  send('[DONE]');
}

function gemini(body, send) {
  const tools = (body.tools ?? []).flatMap((t) => t.functionDeclarations ?? []);
  const results = (body.contents ?? []).flatMap((c) => c.parts ?? []).filter((p) => p.functionResponse)
    .map((p) => text(p.functionResponse.response));
  const s = say(tools, results);
  const wantsJSON = /json/.test(body.generationConfig?.responseMimeType ?? '');
  const said = wantsJSON ? JSON.stringify({ reasoning: 'x', next_speaker: 'user', model_choice: 'flash' }) : s.text;
  const parts = s.tool ? [{ functionCall: { id: s.id, name: s.tool.name, args: asks } }] : [{ text: said }];
  send({ candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }], modelVersion: 'm',
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 } });
}

const server = http.createServer((req, res) => {
  let raw = '';
  req.on('data', (part) => { raw += part; });
  req.on('end', () => {
    const body = raw ? JSON.parse(raw) : {};
    const path = req.url.split('?')[0];
    const streams = body.stream || path.includes('stream');
    const speak = path.endsWith('/responses') ? responses : path.endsWith('/chat/completions') ? chat
      : path.includes('enerateContent') ? gemini : null;
    if (!speak) {
      res.writeHead(path.endsWith('/models') ? 200 : 404, { 'content-type': 'application/json' });
      res.end(JSON.stringify({ object: 'list', data: [{ id: 'm', object: 'model' }], models: [], totalTokens: 1 }));
      return;
    }
    res.writeHead(200, { 'content-type': streams ? 'text/event-stream' : 'application/json' });
    speak(body, (event, type) => {
      const line = typeof event === 'string' ? event : JSON.stringify(event);
      res.write(streams ? (type ? `event: ${type}\n` : '') + `data: ${line}\n\n` : line);
    });
    res.end();
  });
});
server.listen(0, '127.0.0.1', () => fs.writeFileSync(process.argv[2], String(server.address().port)));
