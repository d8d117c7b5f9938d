// Shows the schema of the API, and lets one try it.

const MOST_SHOWN = 20000;

function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

function resolve(schema, root) {
  if (!schema?.$ref) return schema ?? {};
  return schema.$ref.split('/').slice(1).reduce((part, key) => part[key], root);
}

function typeOf(schema, root) {
  if (schema.$ref) {
    const target = resolve(schema, root);
    return target.properties ? schema.$ref.split('/').pop() : typeOf(target, root);
  }
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one, root)).join(' or ');
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {}, root)}`;
  return schema.type ?? 'anything';
}

function table(heads, rows) {
  const row = (tag, cells) => make('tr', {}, ...cells.map((cell) => make(tag, {}, cell)));
  return make('table', {}, make('thead', {}, row('th', heads)), make('tbody', {}, ...rows.map((cells) => row('td', cells))));
}

function fields(schema, root) {
  const required = new Set(schema.required ?? []);
  return table(
    ['key', 'type', 'meaning'],
    Object.entries(schema.properties ?? {}).map(([name, field]) => [
      make('code', { textContent: required.has(name) ? name : `${name}?` }),
      typeOf(field, root),
      field.description ?? resolve(field, root).description ?? '',
    ]),
  );
}

function schemaOf(content, root) {
  return resolve(content?.['application/json']?.schema, root);
}

function example(schema, root) {
  const body = {};
  for (const name of schema.required ?? []) {
    const field = schema.properties[name];
    const one = resolve(field.type === 'array' ? field.items : field, root);
    const value = one.examples?.[0] ?? { integer: 3, number: 1, string: 'astar' }[one.type] ?? null;
    body[name] = field.type === 'array' ? [value] : value;
  }
  return JSON.stringify(body, null, 2);
}

async function send(method, path, body, output) {
  output.hidden = false;
  output.textContent = '…';
  try {
    const headers = body === null ? {} : { 'Content-Type': 'application/json' };
    const response = await fetch(path, { method, headers, body });
    output.textContent = `${response.status} ${response.statusText}\n`;
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      if (output.textContent.length < MOST_SHOWN) output.textContent += part.value;
    }
  } catch (error) {
    output.textContent = `The server does not answer (${error.message}).`;
  }
}

function trial(method, path, operation, root) {
  const parameters = (operation.parameters ?? []).map((one) => ({ ...one, input: make('input', { name: one.name }) }));
  const schema = schemaOf(operation.requestBody?.content, root);
  const body = operation.requestBody ? make('textarea', { rows: 6, value: example(schema, root), spellcheck: false }) : null;
  const output = make('pre', { hidden: true });
  output.setAttribute('aria-live', 'polite');
  const button = make('button', { type: 'button', textContent: 'Try it' });
  button.addEventListener('click', () => {
    let address = path;
    const query = new URLSearchParams();
    for (const { name, in: place, input } of parameters) {
      if (place === 'path') address = address.replace(`{${name}}`, encodeURIComponent(input.value));
      else if (input.value) query.set(name, input.value);
    }
    const asked = query.size ? `?${query}` : '';
    send(method, address + asked, body === null ? null : body.value, output);
  });
  const labels = parameters.map(({ name, input }) => make('label', {}, name, input));
  const request = body === null ? [] : [make('label', {}, 'The request', body)];
  return [make('h3', { textContent: 'Try it' }), ...labels, ...request, button, output];
}

function show(method, path, operation, root) {
  const head = make(
    'summary',
    {},
    make('span', { className: 'method', textContent: method }),
    make('code', { textContent: path }),
    make('span', { className: 'what', textContent: ` ${operation.summary ?? ''}` }),
  );
  const parts = [head, make('p', { textContent: operation.description ?? '' })];
  const request = schemaOf(operation.requestBody?.content, root);
  if (request.properties) parts.push(make('h3', { textContent: 'Request' }), fields(request, root));
  for (const [code, answer] of Object.entries(operation.responses ?? {})) {
    parts.push(make('h3', { textContent: `${code}: ${answer.description}` }));
    const schema = schemaOf(answer.content, root);
    // Errors all look alike.
    if (schema.properties && code.startsWith('2')) parts.push(fields(schema, root));
  }
  return make('details', {}, ...parts, ...trial(method, path, operation, root));
}

const main = document.getElementById('operations');
try {
  const root = await (await fetch('/api/openapi.json')).json();
  const groups = new Map();
  for (const [path, methods] of Object.entries(root.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags?.[0] ?? 'other';
      if (!groups.has(tag)) groups.set(tag, [make('h2', { textContent: tag })]);
      groups.get(tag).push(show(method.toUpperCase(), path, operation, root));
    }
  }
  main.replaceChildren(...[...groups.values()].flat());
} catch (error) {
  main.textContent = `The server does not answer (${error.message}).`;
}
