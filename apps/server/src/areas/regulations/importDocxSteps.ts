/** Splits a document into steps: its headings, or its numbered paragraphs, are the titles. */

import { MAX_DESCRIPTION, MAX_NAME } from '@ordinator/model/areas/regulations/regulation'
import { MAX_STAGES } from '@ordinator/model/areas/regulations/wire'
import { type AnyNode, type Element, isTag } from 'domhandler'
import { DomUtils, parseDocument } from 'htmlparser2'
import { escaped, sanitize } from '#records/sanitize.ts'

export interface DocxStep {
  title: string
  /** Sanitised HTML. */
  description: string
  /** Indexes of the contained pictures. */
  images: number[]
}

export interface DocxSteps {
  /** The document's own title; empty if none. */
  name: string
  /** Text before the first step, as plain text. */
  description: string
  stages: DocxStep[]
  /** Messages about skipped content. */
  warnings: string[]
}

/** Placeholder address of a picture in the text until it is stored. */
export const imageMark = (n: number): string => `docx:${n}`

/** Maximum number of characters of a description. */
const MAX_HTML = 200_000

/** @param html output of mammoth */
export function stepsOf(html: string): DocxSteps {
  const warnings: string[] = []
  const nodes = parseDocument(html).children.filter((node) => isTag(node) && hasContent(node)) as Element[]
  for (const link of DomUtils.filter((node) => isTag(node) && isBackLink(node), nodes)) DomUtils.removeElement(link)
  const title = nodes.find(isTitle)
  const body = nodes.filter((node) => node !== title)
  const { before, parts } = divided(body, warnings)
  if (parts.length > MAX_STAGES)
    warnings.push(`Шагов больше ${MAX_STAGES}: остальные не перенесены (${parts.length - MAX_STAGES})`)
  return {
    name: title ? wordsOf(title).slice(0, MAX_NAME) : '',
    description: headOf(before, warnings),
    stages: parts.slice(0, MAX_STAGES).map((part, at) => stepOf(part, at + 1, warnings)),
    warnings,
  }
}

/** A title with its content. */
interface Part {
  title: string
  /** A heading may contain pictures. */
  head?: Element
  nodes: AnyNode[]
}

interface Divided {
  before: Element[]
  parts: Part[]
}

function divided(nodes: readonly Element[], warnings: string[]): Divided {
  const level = stepLevel(nodes)
  if (level) return byTitles(nodes, (node) => (levelOf(node) === level ? [partOf(node)] : undefined), level)
  for (const sign of signs) {
    const found = byTitles(nodes, (node) =>
      node.name === 'p' && sign.test(wordsOf(node)) ? [partOf(node)] : undefined,
    )
    if (found.parts.length) return found
  }
  const byList = byTitles(nodes, (node) => (node.name === 'ol' ? node.children.filter(isTag).map(itemOf) : undefined))
  if (byList.parts.length) return byList
  if (nodes.length) warnings.push('Заголовков и нумерации нет: весь текст стал одним шагом')
  return { before: [], parts: nodes.length ? [{ title: '', nodes: [...nodes] }] : [] }
}

/** The highest heading level with more than one heading; a single one at the top is the document title. */
function stepLevel(nodes: readonly Element[]): number | undefined {
  const levels = nodes.flatMap((node) => levelOf(node) ?? [])
  const [highest, next] = [...new Set(levels)].sort((a, b) => a - b)
  const isAlone = levels.filter((level) => level === highest).length === 1 && levels[0] === highest
  return isAlone && next !== undefined ? next : highest
}

function byTitles(nodes: readonly Element[], titlesOf: (node: Element) => Part[] | undefined, level = 1): Divided {
  const before: Element[] = []
  const parts: Part[] = []
  for (const node of nodes) {
    const found = titlesOf(node)
    const last = parts.at(-1)
    if (found) parts.push(...found)
    else if (last) last.nodes.push(raised(node, level))
    else before.push(node)
  }
  return { before, parts }
}

/** Renumbers headings within a step from the first level. */
function raised(node: Element, level: number): Element {
  const own = levelOf(node)
  if (own) node.name = `h${Math.min(4, Math.max(1, own - level))}`
  return node
}

const partOf = (node: Element): Part => ({ title: unnumbered(wordsOf(node)), head: node, nodes: [] })

/** A list item: its first paragraph is the title, the lists and paragraphs below it are the text. */
function itemOf(item: Element): Part {
  const inner = item.children.findIndex((node) => isTag(node) && /^(p|ul|ol|table|h[1-6])$/.test(node.name))
  const first = item.children[inner]
  // An item without paragraphs begins with its text.
  const cut = inner < 0 ? item.children.length : inner === 0 && first && isTag(first) && first.name === 'p' ? 1 : inner
  const head = item.children.slice(0, cut)
  return {
    title: unnumbered(plain(head.map((node) => DomUtils.textContent(node)).join(''))),
    nodes: [...head.flatMap(picturesOf), ...item.children.slice(cut)],
  }
}

function stepOf({ title, head, nodes }: Part, n: number, warnings: string[]): DocxStep {
  const all = [...(head ? picturesOf(head) : []), ...nodes]
  const images = all.flatMap(picturesOf).flatMap(({ attribs }) => {
    const [, number] = /^docx:(\d+)$/.exec(attribs.src ?? '') ?? []
    return number ? [Number(number)] : []
  })
  const rest = title.slice(MAX_NAME).trim()
  if (rest) warnings.push(`Шаг ${n}: название длиннее ${MAX_NAME} знаков, конец его перешёл в описание`)
  let description = sanitize(nodes.map((node) => DomUtils.getOuterHTML(node)).join(''))
  if (description.length > MAX_HTML) {
    description = `<p>${escaped(plain(nodes.map((node) => DomUtils.textContent(node)).join(' ')).slice(0, MAX_HTML / 2))}</p>`
    warnings.push(`Шаг ${n}: слишком длинный текст, перенесено его начало без оформления`)
  }
  return {
    title: title.slice(0, MAX_NAME).trim() || `Шаг ${n}`,
    description: (rest ? `<p>${escaped(rest)}</p>` : '') + withoutEmpty(description),
    images,
  }
}

/** Removes paragraphs that contained only a picture. */
const withoutEmpty = (html: string): string => html.replace(/<p>(\s|<br ?\/?>)*<\/p>/g, '')

function headOf(nodes: readonly Element[], warnings: string[]): string {
  const text = nodes.map(wordsOf).filter(Boolean).join('\n')
  if (text.length > MAX_DESCRIPTION)
    warnings.push(`Текст до первого шага длиннее ${MAX_DESCRIPTION} знаков: в описание взято его начало`)
  if (nodes.some((node) => picturesOf(node).length)) warnings.push('Картинки до первого шага не перенесены')
  return text.slice(0, MAX_DESCRIPTION).trim()
}

const isTitle = (node: AnyNode): boolean => isTag(node) && node.name === 'h1' && node.attribs.class === 'title'
const levelOf = ({ name }: Element): number | undefined => (/^h[1-6]$/.test(name) ? Number(name[1]) : undefined)
const isBackLink = ({ name, attribs }: Element): boolean =>
  name === 'a' && /^#(foot|end)note-ref/.test(attribs.href ?? '')

const picturesOf = (node: AnyNode): Element[] => DomUtils.getElementsByTagName('img', node)
const hasContent = (node: Element): boolean =>
  node.name === 'hr' || DomUtils.textContent(node).trim() !== '' || picturesOf(node).length > 0

const plain = (text: string): string => text.replace(/[^\S\u00a0]+/g, ' ').trim()
const wordsOf = (node: Element): string => plain(DomUtils.textContent(node))

/** Prefixes of a paragraph that is a step title: «Шаг 3:», else «3.» or «3)». */
const signs = [/^(?:шаг|этап)\s*№?\s*\d+/iu, /^\d+[.)]\s/]
/** The number before a title: «1. », «1.2) », «Шаг 3: », «Этап 3 — ». */
const NUMBER = /^(?:(?:шаг|этап)\s*№?\s*\d+(?:\.\d+)*\s*[.:)—–-]?\s*|\d+(?:\.\d+)*\s*[.)]\s+)/iu
const unnumbered = (text: string): string => text.replace(NUMBER, '') || text
