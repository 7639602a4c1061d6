/**
 * Reads a parsed document by paths. A path is local names separated by `/`, from the children of the given element on;
 * `*` is any name, `//` any depth, and a final `@name` or `text()` a value.
 * @example valueAt(document, 'СвСчФакт/@НомерДок'), all(document, 'ТаблСчФакт/СведТов')
 */
import type { XmlNode } from './xml.ts'

/** Elements at a path, in document order. */
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

/** The first element at a path. */
export const one = (from: XmlNode, path: string): XmlNode | undefined => all(from, path)[0]

/** The trimmed value of an attribute or the text of an element; absent or empty: undefined. */
export function valueAt(from: XmlNode, path: string): string | undefined {
  const [, way = '', last = ''] = /^(?:(.*)\/)?(@.+|text\(\))$/.exec(path) ?? [undefined, path, 'text()']
  const node = way === '' ? from : one(from, way)
  const value = last.startsWith('@') ? node?.attributes[last.slice(1)] : node && deepText(node)
  return value?.trim() || undefined
}

/** Text of an element including its descendants. */
function deepText(node: XmlNode): string {
  return node.text + node.children.map(deepText).join('')
}

function descendants(node: XmlNode): XmlNode[] {
  return node.children.flatMap((child) => [child, ...descendants(child)])
}
