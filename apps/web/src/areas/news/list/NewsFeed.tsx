import { Badge, Box, Skeleton, Text, Title } from '@mantine/core'
import { News } from '@ordinator/model/areas/news/news'
import type { Expanded, Filter } from '@ordinator/model/client'
import { counted } from '@ordinator/model/format'
import { wordsOfHtml } from '@ordinator/model/mentions'
import { IconMessage, IconNews } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { formatDateTime, formatHuman } from '#kit/clock.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { MoreRows } from '#kit/LoadMore.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { useEndlessList } from '#records/reads.ts'
import { dateOf, picturesOf } from '../newsRow.ts'
import { Opener } from '../Opener.tsx'
import { SourceMark } from '../SourceMark.tsx'
import { Pinned, Unread } from './Marks.tsx'
import classes from './NewsList.module.css'

const PORTION = 18
/** Characters of a card's text; CSS limits the lines. */
const LEAD = 240

interface Props {
  filter: Filter<typeof News> | undefined
  onOpen: (id: number) => void
  empty: { title: string; text?: ReactNode; action?: ReactNode }
}

/** News as cards, pinned ones first, then the latest. */
export default function NewsFeed({ filter, onOpen, empty }: Props) {
  const list = useEndlessList(
    News,
    {
      filter,
      fields,
      expand: ['images'],
      sort: ['-isPinned', '-dateActive', '-dateCreate', '-id'],
      limit: PORTION,
    },
    { forbidden: 'silent' },
  )
  const items = list.items
  if (list.isPending)
    return (
      <div className={classes.feed} aria-busy="true">
        {['1', '2', '3', '4', '5', '6'].map((key) => (
          <Skeleton key={key} height={280} radius="md" />
        ))}
      </div>
    )
  if (list.isError && items.length === 0)
    return <ErrorState title="Новости не загрузились" error={list.error} onRetry={() => void list.refetch()} />
  if (items.length === 0) return <EmptyState icon={IconNews} {...empty} />
  return (
    <Box px="var(--ord-room)" pb="var(--ord-room)">
      <ul className={classes.feed} aria-label="Лента новостей">
        {items.map((news) => (
          <Card key={news.id} news={news} onOpen={() => onOpen(news.id)} />
        ))}
      </ul>
      <MoreRows list={list} />
    </Box>
  )
}

const fields = [
  'title',
  'text',
  'source',
  'active',
  'isPinned',
  'isRead',
  'dateActive',
  'dateCreate',
  'commentsTotalCount',
] as const

type FeedNews = Expanded<typeof News, 'images', (typeof fields)[number]>

function Card({ news, onOpen }: { news: FeedNews; onOpen: () => void }) {
  const [cover] = picturesOf(news.images)
  const lead = wordsOfHtml(news.text ?? '').slice(0, LEAD)
  const comments = news.commentsTotalCount ?? 0
  return (
    <li className={classes.card} data-muted={!news.active || undefined}>
      <span className={classes.cover} data-none={!cover || undefined} aria-hidden>
        {cover ? <img src={cover.thumb} alt="" loading="lazy" /> : <IconNews size={32} stroke={1} />}
      </span>
      <VStack gap={0} px={16} py={12} flex={1}>
        <Title order={2} size="h3">
          <Opener title={news.title} onOpen={onOpen} />
        </Title>
        {lead && (
          <Text lineClamp={3} mt={4} c="dimmed" className="breaks">
            {lead}
          </Text>
        )}
        <div className={classes.facts}>
          <SourceMark source={news.source} />
          <time dateTime={dateOf(news)} title={formatDateTime(dateOf(news))}>
            {formatHuman(dateOf(news))}
          </time>
          {!news.active && <Badge color="gray">Неактивна</Badge>}
          <HStack component="span" display="inline-flex" ml="auto">
            {comments > 0 && (
              <HStack
                component="span"
                gap={4}
                display="inline-flex"
                className="tabular"
                title={counted(comments, commentForms)}
              >
                <IconMessage size={16} aria-hidden /> {comments}
              </HStack>
            )}
            {news.isPinned && <Pinned />}
            {news.active && !news.isRead && <Unread />}
          </HStack>
        </div>
      </VStack>
    </li>
  )
}

const commentForms = ['комментарий', 'комментария', 'комментариев'] as const
