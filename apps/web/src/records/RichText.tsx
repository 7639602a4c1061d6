import { createElement, Fragment, type ReactNode, useMemo } from 'react'
import { GenericLink } from '#kit/GenericLink.tsx'
import classes from './RichText.module.css'

/** Rendered elements; of any other only the content. */
const TAGS: ReadonlySet<string> = new Set(
  'p br hr h1 h2 h3 h4 strong b em i u s mark code pre blockquote ul ol li table thead tbody tr th td sub sup'.split(
    ' ',
  ),
)

/** A stored file, or a drawing that the server has put into the text. */
const PICTURE = /^(\/files\/\d{1,15}|\/settings\/pictures\/[\da-f]{64}|data:image\/svg\+xml;base64,[A-Za-z\d+/=]*)$/

/**
 * Renders rich text. The HTML is parsed by the browser without executing anything, and rebuilt from known elements without
 * attributes.
 * @param pictures also shows stored pictures, and codes drawn by the server
 */
export function RichText({ html, pictures }: { html: string | null | undefined; pictures?: boolean }) {
  const nodes = useMemo(() => {
    const { body } = new DOMParser().parseFromString(html ?? '', 'text/html')
    levelHeadings(body)
    if (!pictures) for (const one of body.querySelectorAll('img')) one.remove()
    return [...body.childNodes].map(drawn)
  }, [html, pictures])
  return <div className={classes.text}>{nodes}</div>
}

/** Renumbers headings below the page's, each at most one level below the previous one. */
function levelHeadings(body: HTMLElement): void {
  let before = 1
  for (const heading of body.querySelectorAll<HTMLElement>('h1, h2, h3, h4')) {
    before = Math.min(Math.max(2, Number(heading.tagName[1])), before + 1)
    heading.dataset.level = String(before)
  }
}

function drawn(node: Node, key: number): ReactNode {
  // A tab between the cells of a pasted row becomes a wide space.
  if (node.nodeType === Node.TEXT_NODE) return node.textContent?.replaceAll('\t', '\u2003')
  if (!(node instanceof HTMLElement)) return null
  const tag = node.tagName.toLowerCase()
  const inside = [...node.childNodes].map(drawn)
  if (tag === 'script' || tag === 'style') return null
  if (tag === 'img') {
    const src = node.getAttribute('src') ?? ''
    const { marked } = node.dataset
    return PICTURE.test(src) ? (
      <img key={key} src={src} alt={node.getAttribute('alt') ?? ''} data-marked={marked} />
    ) : null
  }
  if (tag === 'a')
    return (
      <GenericLink key={key} href={node.getAttribute('href')}>
        {inside}
      </GenericLink>
    )
  if (tag === 'span' && node.dataset.type === 'mention')
    return (
      <span key={key} className={classes.mention} data-mention={node.dataset.id}>
        {inside}
      </span>
    )
  if (!TAGS.has(tag)) return <Fragment key={key}>{inside}</Fragment>
  const lines = tag === 'table' && node.dataset.lines === 'none' ? { 'data-lines': 'none' } : {}
  return createElement(node.dataset.level ? `h${node.dataset.level}` : tag, { key, ...lines }, ...inside)
}
