/** A part of an XML document; '' if it has no content. */
export type Xml = string

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** A text in a form that XML 1.0 can contain: characters that it forbids are replaced by U+FFFD. */
const escaped = (text: string) =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .toWellFormed()
    .replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character)

type Attributes = Readonly<Record<string, string>>

/** An element with a text; '' if the text is empty. */
export function element(name: string, text: string | number | null | undefined, attributes: Attributes = {}): Xml {
  if (text === null || text === undefined || text === '') return ''
  const said = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`)
  return `<${name}${said.join('')}>${escaped(String(text))}</${name}>`
}

/** An element with other elements inside; '' if there are none. */
export function box(name: string, ...inside: Xml[]): Xml {
  const content = inside.join('')
  return content && `<${name}>${content}</${name}>`
}

export function xmlDocument(name: string, namespaces: Attributes, ...inside: Xml[]): string {
  const said = Object.entries(namespaces).map(([prefix, uri]) => ` xmlns${prefix && `:${prefix}`}="${uri}"`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${name}${said.join('')}>${inside.join('')}</${name}>\n`
}
