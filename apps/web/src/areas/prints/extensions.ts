/** Editor extensions for templates: tables, pictures, and marked placeholders. */

import { type Command, Plugin } from '@tiptap/pm/state'
import { goToNextCell, tableEditing } from '@tiptap/pm/tables'
import { Decoration, DecorationSet } from '@tiptap/pm/view'
import { Extension, Node } from '@tiptap/react'
import classes from './Prints.module.css'

const roles: Readonly<Record<string, string>> = {
  table: 'table',
  tableRow: 'row',
  tableCell: 'cell',
  tableHeader: 'header_cell',
}

const Table = Node.create({
  name: 'table',
  group: 'block',
  content: 'tableRow+',
  isolating: true,
  addAttributes: () => ({
    bare: {
      default: false,
      parseHTML: (element: HTMLElement) => element.dataset.lines === 'none',
      renderHTML: ({ bare }: Record<string, unknown>) => (bare ? { 'data-lines': 'none' } : {}),
    },
  }),
  parseHTML: () => [{ tag: 'table' }],
  renderHTML: ({ HTMLAttributes }) => ['table', HTMLAttributes, ['tbody', 0]],
  extendNodeSchema: ({ name }) => (roles[name] ? { tableRole: roles[name] } : {}),
  addProseMirrorPlugins: () => [tableEditing()],
  addKeyboardShortcuts() {
    const go = (way: 1 | -1) => () => goToNextCell(way)(this.editor.state, this.editor.view.dispatch)
    return { Tab: go(1), 'Shift-Tab': go(-1) }
  },
})

const TableRow = Node.create({
  name: 'tableRow',
  content: '(tableCell | tableHeader)*',
  parseHTML: () => [{ tag: 'tr' }],
  renderHTML: () => ['tr', 0],
})

const span = (name: 'colspan' | 'rowspan') => ({
  default: 1,
  parseHTML: (element: HTMLElement) => Math.max(1, Number(element.getAttribute(name)) || 1),
  renderHTML: (attributes: Record<string, unknown>) => (attributes[name] === 1 ? {} : { [name]: attributes[name] }),
})

const cell = (name: 'tableCell' | 'tableHeader', tag: 'td' | 'th') =>
  Node.create({
    name,
    content: 'block+',
    isolating: true,
    addAttributes: () => ({
      colspan: span('colspan'),
      rowspan: span('rowspan'),
      colwidth: { default: null, rendered: false },
    }),
    parseHTML: () => [{ tag }],
    renderHTML: ({ HTMLAttributes }) => [tag, HTMLAttributes, 0],
  })

const Picture = Node.create({
  name: 'picture',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () => ({ src: { default: null }, alt: { default: '' } }),
  parseHTML: () => [{ tag: 'img[src]' }],
  renderHTML: ({ HTMLAttributes }) => ['img', HTMLAttributes],
})

const PLACE = /\{\{[^{}]*\}\}/g

/** Placeholders are highlighted. */
const Places = Extension.create({
  name: 'places',
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        decorations({ doc }) {
          const found: Decoration[] = []
          doc.descendants((node, at) => {
            if (!node.isText) return
            for (const { 0: whole, index } of (node.text ?? '').matchAll(PLACE))
              found.push(
                Decoration.inline(at + index, at + index + whole.length, {
                  class: /^\{\{\s*(если|иначе|для кажд|конец)/i.test(whole) ? classes.rule : classes.place,
                }),
              )
          })
          return DecorationSet.create(doc, found)
        },
      },
    }),
  ],
})

export const printExtensions = [Table, TableRow, cell('tableCell', 'td'), cell('tableHeader', 'th'), Picture, Places]

/** Toggles the borders of the table at the cursor. */
export const toggleLines: Command = ({ selection, tr }, dispatch) => {
  const { $from } = selection
  for (let depth = $from.depth; depth > 0; depth--) {
    const node = $from.node(depth)
    if (node.type.name !== 'table') continue
    dispatch?.(tr.setNodeAttribute($from.before(depth), 'bare', !node.attrs.bare))
    return true
  }
  return false
}

const emptyCell = (tag: 'td' | 'th') => `<${tag}><p></p></${tag}>`
const line = (tag: 'td' | 'th') => `<tr>${emptyCell(tag).repeat(3)}</tr>`
export const newTable = `<table><tbody>${line('th')}${line('td')}${line('td')}</tbody></table><p></p>`
