import { guide, pictures } from 'virtual:guide'
import { UnstyledButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { findInGuide, type GuideBlock, spansOf } from '@ordinator/model/guide'
import type { Page } from '@ordinator/model/page'
import { type PageKey, pageAllowed, pageByKey } from '@ordinator/model/pages'
import { IconX } from '@tabler/icons-react'
import { useMatches } from '@tanstack/react-router'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { PageLink } from '#base/PageLink.tsx'
import { useActor } from '#base/session.ts'
import { openTour } from '#base/tour.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { Drawer } from '#kit/Drawer.tsx'
import { hotkeys } from '#kit/hotkeys.ts'
import { IconButton } from '#kit/IconButton.tsx'
import { useInnermost } from '#kit/innermost.ts'
import { Keys } from '#kit/Keys.tsx'
import { SearchField } from '#kit/SearchField.tsx'
import { useReturnFocus } from '#kit/useReturnFocus.ts'
import { Fine, Muted } from '#kit/Words.tsx'
import classes from './HelpPanel.module.css'

interface Props {
  opened: boolean
  /** The page to describe; absent: the open one. */
  page: PageKey | undefined
  onPage: (page: PageKey | undefined) => void
  onClose: () => void
}

const MAX_HITS = 12

/** Help beside the page, and all active shortcuts; on a narrow screen over it. */
export default function HelpPanel({ opened, page: asked, onPage, onClose }: Props) {
  const beside = useMediaQuery('(min-width: 1280px)', false, { getInitialValueInEffect: false })
  const here = useMatches({ select: (matches) => matches.at(-1)?.staticData.page })
  const page: Page | undefined = asked ? pageByKey(asked) : here
  const title = page ? `Справка: ${page.title}` : 'Справка'
  const body = <HelpBody key={page?.key} page={page} isHere={page === here} onPage={onPage} onClose={onClose} />
  if (beside) return opened ? <Beside title={title} onClose={onClose} body={body} /> : null
  return (
    <Drawer opened={opened} onClose={onClose} title={title} position="right" size="min(440px, 100%)">
      <div className={classes.drawerBody}>{body}</div>
    </Drawer>
  )
}

function Beside({ title, onClose, body }: { title: string; onClose: () => void; body: React.ReactNode }) {
  const panel = useRef<HTMLElement>(null)
  const mark = useInnermost(true, onClose)
  useReturnFocus()
  useEffect(() => panel.current?.focus({ preventScroll: true }), [])
  return (
    <aside {...mark} ref={panel} className={classes.panel} aria-label={title} tabIndex={-1}>
      <div className={classes.head}>
        <h2 className={classes.title}>{title}</h2>
        <IconButton icon={IconX} label="Закрыть справку" onClick={onClose} />
      </div>
      <div className={classes.body}>{body}</div>
    </aside>
  )
}

interface BodyProps extends Pick<Props, 'onPage' | 'onClose'> {
  page: Page | undefined
  isHere: boolean
}

function HelpBody({ page, isHere, onPage, onClose }: BodyProps) {
  const [text, setText] = useState('')
  const topic = guide.find((one) => one.page === page?.key)
  const picture = page && pictures[page.key]
  return (
    <>
      <SearchField value={text} onChange={setText} aria-label="Поиск в справке" placeholder="Найти в справке" />
      {text.trim() ? (
        <Hits text={text} onPage={onPage} />
      ) : (
        <>
          {page && (
            <Muted component="p" my={12}>
              {page.help}
            </Muted>
          )}
          {topic && (
            <ul className={classes.list}>
              {topic.jobs.map((line) => (
                <li key={line}>
                  <Formatted text={line} />
                </li>
              ))}
            </ul>
          )}
          {page && !isHere && <Way page={page} onPage={onPage} />}
          {picture && <img className={classes.picture} src={picture} alt={`Страница «${page.title}»`} loading="lazy" />}
          {topic && topic.more.length > 0 && (
            <details className={classes.more}>
              <summary>Подробнее</summary>
              {topic.more.map((block) => (
                <More key={block.text} block={block} />
              ))}
            </details>
          )}
          {isHere && <PageKeys />}
          <ActionButton
            label="Знакомство с программой"
            variant="light"
            size="compact-md"
            mt={16}
            onClick={() => {
              onClose()
              openTour()
            }}
          />
        </>
      )}
    </>
  )
}

/** The way to another page, where it opens without a record and the person may open it. */
function Way({ page, onPage }: { page: Page; onPage: Props['onPage'] }) {
  const actor = useActor()
  if (page.linked || page.path.includes(':') || !pageAllowed(page, actor))
    return <Fine component="p">Эта страница открывается из своей записи или по своему праву.</Fine>
  return (
    <ActionButton
      label="Открыть страницу"
      variant="default"
      size="compact-md"
      onClick={() => onPage(undefined)}
      renderRoot={(props) => <PageLink {...props} page={page.key as 'dashboard'} />}
    />
  )
}

function Hits({ text, onPage }: { text: string; onPage: Props['onPage'] }) {
  const actor = useActor()
  const hits = findInGuide(guide, text)
    .filter(({ page }) => pageAllowed(pageByKey(page as PageKey), actor))
    .slice(0, MAX_HITS)
  if (hits.length === 0)
    return (
      <Muted component="p" my={12} role="status">
        Ничего не нашлось. Попробуйте другое слово.
      </Muted>
    )
  return hits.map(({ page, title, line }) => (
    <UnstyledButton key={page} className={classes.hit} onClick={() => onPage(page as PageKey)}>
      <span className={classes.hitTitle}>{title}</span>
      <Fine component="span" lineClamp={2}>
        {line}
      </Fine>
    </UnstyledButton>
  ))
}

function More({ block: { kind, text } }: { block: GuideBlock }) {
  const content = <Formatted text={text} />
  if (kind === 'heading') return <h3 className={classes.heading}>{content}</h3>
  return kind === 'text' ? <p>{content}</p> : <p className={classes.item}>{content}</p>
}

function Formatted({ text }: { text: string }) {
  return spansOf(text).map(({ text: words, as, href }) => {
    if (as === 'strong') return <strong key={words}>{words}</strong>
    if (as === 'code') return <code key={words}>{words}</code>
    if (href?.startsWith('https://'))
      return (
        <a key={words} href={href} target="_blank" rel="noreferrer">
          {words}
        </a>
      )
    return words
  })
}

/** Active shortcuts, those of the page first. */
function PageKeys() {
  const keys = useSyncExternalStore(hotkeys.subscribe, hotkeys.list)
  const groups = [...new Set(keys.map((item) => item.group))].sort(
    (a, b) => Number(a === 'Везде') - Number(b === 'Везде'),
  )
  return groups.map((group) => (
    <section key={group} className={classes.group}>
      <h3 className={classes.heading}>Клавиши: {group.toLowerCase()}</h3>
      <dl className={classes.keys}>
        {keys
          .filter((item) => item.group === group)
          .map((item) => (
            <div key={item.keys + item.label} className={classes.row}>
              <dt>{item.label}</dt>
              <dd>
                <Keys keys={item.keys} />
              </dd>
            </div>
          ))}
      </dl>
    </section>
  ))
}
