import { Box } from '@mantine/core'
import { News } from '@ordinator/model/areas/news/news'
import { pageAllowed, pageByKey } from '@ordinator/model/pages'
import { useQuery } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import { useActor } from '#base/session.ts'
import { part } from '#kit/chunk.ts'
import { formatDateTime, formatHuman } from '#kit/clock.ts'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { WidgetCard } from '#kit/WidgetCard.tsx'
import { useCan } from '#records/Can.tsx'
import { retries, useList } from '#records/reads.ts'
import { useNewsAddress } from './address.ts'
import { Pinned, Unread } from './list/Marks.tsx'
import classes from './NewsBlock.module.css'
import { dateOf, latestNews } from './newsRow.ts'
import { Opener } from './Opener.tsx'

const SHOWN = 5

/** Lazy: its editor is large, and the dashboard opens without it. */
const NewsPanel = part(async () => ({ default: (await import('./NewsPanel.tsx')).NewsPanel }))

/** Live list for users with access to news; the panel's own call for others. */
function useLatest() {
  const mayView = useCan('view', News)
  const kept = useList(
    News,
    {
      filter: { active: true },
      fields: ['title', 'source', 'isPinned', 'isRead', 'dateActive', 'dateCreate'],
      sort: ['-isPinned', '-dateActive', '-dateCreate', '-id'],
      limit: SHOWN,
    },
    { enabled: mayView, forbidden: 'silent', known: true },
  )
  const open = useQuery({
    queryKey: [...latestNews, 'list'],
    queryFn: ({ signal }) => api('GET /dashboard/news', {}, { forbidden: 'silent', signal }),
    enabled: !mayView,
    retry: retries,
    meta: { known: true },
  })
  return mayView ? kept : open
}

/** Новости on the dashboard: the latest, for every user; an item opens in the side panel. */
export default function NewsBlock() {
  const [{ news, edit }, setAddress] = useNewsAddress()
  const hasPage = pageAllowed(pageByKey('news'), useActor())
  const list = useLatest()
  useRevealDelay(list.isPending)
  const items = list.data?.items ?? []
  return (
    <>
      <WidgetCard
        title="Новости"
        busy={list.isPending}
        load={list}
        none={list.isSuccess && items.length === 0 && 'Новостей пока нет. Новые появятся здесь.'}
      >
        <ul>
          {items.map((item) => (
            <li key={item.id} className={classes.line}>
              <VStack component="span" gap={0} grow>
                <Opener title={item.title} onOpen={() => setAddress({ news: item.id })} />
                <Box
                  component="time"
                  c="dimmed"
                  fz={12}
                  lh="16px"
                  dateTime={dateOf(item)}
                  title={formatDateTime(dateOf(item))}
                >
                  {formatHuman(dateOf(item))}
                </Box>
              </VStack>
              {item.isPinned && <Pinned />}
              {!item.isRead && <Unread />}
            </li>
          ))}
        </ul>
        {hasPage && (
          <PageLink page="news" search={{ view: 'feed' }} className={classes.all}>
            Все новости
          </PageLink>
        )}
      </WidgetCard>
      {news !== undefined && (
        <NewsPanel
          id={news}
          editing={edit === true}
          onEditing={(on) => setAddress({ edit: on || undefined })}
          onCreated={(id) => setAddress({ news: id })}
          onClose={() => setAddress({ news: undefined, edit: undefined })}
        />
      )}
    </>
  )
}
