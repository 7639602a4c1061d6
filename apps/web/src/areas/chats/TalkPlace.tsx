import { VisuallyHidden } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { IconMessages } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { usePageTitle } from '#base/title.ts'
import { Drawer } from '#kit/Drawer.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import classes from './place.module.css'

interface Props<R> {
  title: string
  /** Number in the window's title; absent: not counted yet. */
  news: number | undefined
  list: ReactNode
  /** Id in the URL; undefined: none. */
  opened: number | undefined
  /** Result of `useRecord`. */
  open: { data: R | undefined; isError: boolean; error: Error | null; refetch: () => unknown }
  words: {
    /** «Разговор»: label of the region. */
    talk: string
    /** Shown without an open conversation. */
    choose: { title: string; text: string }
    /** Below that. */
    next?: ReactNode
    failed: string
    /** «О посетителе». */
    about: string
  }
  /** Replaces the conversation. */
  instead?: ReactNode
  /** @param onAbout opens the context, on screens without room for it */
  thread: (row: R, onAbout: (() => void) | undefined) => ReactNode
  context: (row: R) => ReactNode
}

/** Layout of list, conversation and context; one at a time on a phone. */
export function TalkPlace<R extends { id: number }>(props: Props<R>) {
  const { title, news = 0, list, opened, open, words, instead, thread, context } = props
  usePageTitle(news > 0 ? `(${news}) ${title}` : undefined)
  const wide = useMediaQuery('(min-width: 75.01em)', true, { getInitialValueInEffect: false })
  const [aboutOpened, about] = useDisclosure(false)
  const blank = (content: ReactNode) => (
    <section className={classes.blank} aria-label={words.talk}>
      {content}
    </section>
  )
  return (
    <div className={classes.place} data-open={opened !== undefined || Boolean(instead) || undefined}>
      <VisuallyHidden component="h1">{title}</VisuallyHidden>
      {list}
      {instead ||
        (opened === undefined ? (
          blank(<EmptyState icon={IconMessages} {...words.choose} action={words.next} />)
        ) : open.isError ? (
          blank(<ErrorState title={words.failed} error={open.error} onRetry={() => void open.refetch()} />)
        ) : open.data?.id === opened ? (
          <>
            {thread(open.data, wide ? undefined : about.open)}
            {wide && (
              <aside className={classes.context} aria-label={words.about}>
                {context(open.data)}
              </aside>
            )}
            <Drawer
              opened={!wide && aboutOpened}
              onClose={about.close}
              position="right"
              size={360}
              title={words.about}
              closeButtonProps={{ 'aria-label': 'Закрыть' }}
            >
              {context(open.data)}
            </Drawer>
          </>
        ) : (
          blank(<LinesSkeleton lines={6} />)
        ))}
    </div>
  )
}
