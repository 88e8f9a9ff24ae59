import { first } from '../../lists.ts'
import { type Html, html } from '../../render/html.ts'

type Schema = {
  type?: string | string[]
  description?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  minimum?: number
  maximum?: number
  maxLength?: number
  maxItems?: number
  default?: unknown
}
type Content = Record<string, { schema: Schema }>
type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: Schema }
type Operation = {
  summary?: string
  description?: string
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { description?: string; content?: Content }>
}

/** The parts of an OpenAPI description that the page shows. */
export type Description = {
  info: { title: string; version: string; description: string }
  paths: Record<string, Record<string, Operation>>
}

/** A description as a page for people: only HTML and CSS, which load nothing from elsewhere. */
export function docsPage({ info, paths }: Description): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title}</title><style>${{ markup: STYLE }}</style></head><body>
<header><h1>${info.title}</h1><p>Version ${info.version} · <a href="openapi.json">OpenAPI description</a></p></header>
<nav aria-label="Calls"><ul>${operations.map(
    ({ path, method, operation }) =>
      html`<li><a href="#${anchor(method, path)}"><b>${method}</b><code>${path}</code></a> ${operation.summary ?? ''}</li>`,
  )}</ul></nav>
<main><section>${info.description.split('\n\n').map((text) => html`<p>${prose(text)}</p>`)}</section>
${operations.map(({ path, method, operation }) => section(path, method, operation))}</main>
</body></html>`
  return page.markup
}

const anchor = (method: string, path: string) => `${method}${path}`.toLowerCase().replace(/[^a-z0-9]+/g, '-')

/** A text whose parts between backticks become code. */
function prose(text: string): Html[] {
  return text.split('`').map((part, index) => (index % 2 ? html`<code>${part}</code>` : html`${part}`))
}

function section(path: string, method: string, operation: Operation): Html {
  const body = operation.requestBody?.content['application/json']?.schema
  const answers = Object.entries(operation.responses)
  const refusals = answers.filter(([status]) => !status.startsWith('2'))
  return html`<section id="${anchor(method, path)}"><h2>${operation.summary ?? ''}</h2>
<p class="call"><b>${method}</b> <code>${path}</code></p><p>${prose(operation.description ?? '')}</p>
${operation.parameters?.length ? html`<h3>Parameters</h3>${parameters(operation.parameters)}` : null}
${body ? html`<h3>Body</h3>${fields(body)}` : null}
${answers
  .filter(([status]) => status.startsWith('2'))
  .map(([status, { content }]) => {
    const schema = content?.['application/json']?.schema
    return html`<h3>Answer ${status}</h3>${schema ? fields(schema) : null}`
  })}
<h3>Refusals</h3><dl>${refusals.map(
    ([status, { description }]) => html`<dt>${status}</dt><dd>${prose(description ?? '')}</dd>`,
  )}</dl></section>`
}

function parameters(list: Parameter[]): Html {
  return html`<dl>${list.map(
    ({ name, in: place, required, schema, description }) =>
      html`<dt><code>${name}</code> <i>${place}, ${typeName(schema)}${required ? ', required' : ''}</i></dt>
<dd>${prose(description ?? schema.description ?? '')}</dd>`,
  )}</dl>`
}

/** The schema inside a list, or inside an alternative to null. */
function inner(schema: Schema): Schema {
  const choices = (schema.anyOf ?? schema.oneOf)?.filter(({ type }) => type !== 'null')
  if (choices?.length === 1) return inner(first(choices))
  return schema.items ? inner(schema.items) : schema
}

function fields(schema: Schema): Html | null {
  const { properties, required = [], description } = inner(schema)
  if (!properties) return null
  return html`<dl>${Object.entries(properties).map(
    ([
      name,
      field,
    ]) => html`<dt><code>${name}</code> <i>${typeName(field)}${required.includes(name) ? '' : ', optional'}</i></dt>
<dd>${prose(field.description ?? '')}${fields(field)}</dd>`,
  )}</dl>${description ? html`<p>${prose(description)}</p>` : null}`
}

function typeName(schema: Schema): string {
  if (schema.enum) return schema.enum.map(String).join(' | ')
  if (schema.const !== undefined) return String(schema.const)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return [...new Set(choices.map(typeName))].join(' | ')
  if (schema.items) return `list of ${typeName(schema.items)}`
  return [schema.type ?? 'any'].flat().join(' | ')
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1d2127; --soft: #4a525e; --line: #d9dde4; --back: #fff; --code: #f1f3f6; --accent: #3443ab }
@media (prefers-color-scheme: dark) {
  :root { --ink: #dfe2e8; --soft: #b9bfc9; --line: #343a45; --back: #171a21; --code: #272c35; --accent: #b7c0f2 }
}
body { margin: 0 auto; padding: 2rem 1rem 4rem; max-width: 52rem; font: 1rem/1.55 system-ui, sans-serif; color: var(--ink); background: var(--back) }
h1 { font-size: 1.6rem; margin: 0 } h2 { font-size: 1.2rem; margin: 0 0 .25rem } h3 { font-size: 1rem; margin: 1.25rem 0 .25rem }
a { color: var(--accent) } code { font-size: .9em; background: var(--code); padding: .1em .3em; border-radius: 4px; overflow-wrap: anywhere }
nav ul { list-style: none; padding: 0 } nav li { margin: .35rem 0 } nav b, .call b { display: inline-block; min-width: 3.2rem; font-size: .85rem }
section { border-top: 1px solid var(--line); margin-top: 2rem; padding-top: 1.5rem }
dl { margin: .25rem 0; border-left: 2px solid var(--line); padding-left: .75rem } dt { margin-top: .35rem } dd { margin: 0 0 0 .75rem; color: var(--soft) }
i { color: var(--soft); font-size: .9rem; font-style: normal }
`
