/**
 * Reading of a parsed document by paths. A path is local names with `/` between them, from the children of the given
 * element on; `*` is any name, `//` any depth, and `@name` or `text()` at the end a value.
 * @example valueAt(document, 'СвСчФакт/@НомерДок'), all(document, 'ТаблСчФакт/СведТов')
 */
import type { XmlNode } from './xml.ts'

/** The elements that a path leads to, in the order of the document. */
export function all(from: XmlNode, path: string): XmlNode[] {
  let found = [from]
  let deep = false
  for (const step of path.split('/')) {
    if (step === '') {
      deep = true
      continue
    }
    const fits = (node: XmlNode) => step === '*' || node.name === step
    const of: (node: XmlNode) => XmlNode[] = deep ? descendants : ({ children }) => children
    found = found.flatMap((node) => of(node).filter(fits))
    deep = false
  }
  return found
}

/** The first of them. */
export const one = (from: XmlNode, path: string): XmlNode | undefined => all(from, path)[0]

/** The value at a path: of an attribute, or the text of an element; absent or empty: undefined. Edges are trimmed. */
export function valueAt(from: XmlNode, path: string): string | undefined {
  const [, way = '', last = ''] = /^(?:(.*)\/)?(@.+|text\(\))$/.exec(path) ?? [undefined, path, 'text()']
  const node = way === '' ? from : one(from, way)
  const value = last.startsWith('@') ? node?.attributes[last.slice(1)] : node && deepText(node)
  return value?.trim() || undefined
}

/** The text of an element with that of all within. */
function deepText(node: XmlNode): string {
  return node.text + node.children.map(deepText).join('')
}

function descendants(node: XmlNode): XmlNode[] {
  return node.children.flatMap((child) => [child, ...descendants(child)])
}
