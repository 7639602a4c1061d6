import { Badge, Box } from '@mantine/core'
import { News } from '@ordinator/model/areas/news/news'
import type { AnyFilter } from '@ordinator/model/client'
import { IconEye, IconEyeOff, IconPin } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { HStack } from '#kit/Stacks.tsx'
import { useCan } from '#records/Can.tsx'
import { RecordTable } from '#records/RecordTable.tsx'
import type { ColumnSpec } from '#records/table/columns.ts'
import { bulkRecords, useBulkRun } from '#records/table/useBulkRun.ts'
import { type NewsRow, picturesOf } from '../newsRow.ts'
import { SourceMark } from '../SourceMark.tsx'
import { Pinned, Unread } from './Marks.tsx'
import classes from './NewsList.module.css'

interface Props {
  filter: AnyFilter | undefined
  onOpen: (id: number) => void
  empty: { title: string; text?: ReactNode; action?: ReactNode }
}

const columns: readonly ColumnSpec<NewsRow>[] = [
  {
    key: 'title',
    width: 320,
    cell: (news) => (
      <HStack component="span" miw={0}>
        <Thumb news={news} />
        {news.isPinned && <Pinned />}
        <span className={classes.titleText} title={news.title}>
          {news.title}
        </span>
        {news.active && !news.isRead && <Unread />}
      </HStack>
    ),
  },
  { key: 'source', width: 152, cell: ({ source }) => <SourceMark source={source} /> },
  {
    key: 'active',
    width: 128,
    cell: ({ active }) => <Badge color={active ? 'teal' : 'gray'}>{active ? 'Активна' : 'Неактивна'}</Badge>,
  },
  { key: 'dateCreate', width: 152 },
  { key: 'readsTotalCount', width: 128 },
  { key: 'commentsTotalCount', width: 160 },
]

/** News as a table: columns, sorting, paging, bulk actions, export. */
export default function NewsTable({ filter, onOpen, empty }: Props) {
  const run = useBulkRun<NewsRow>({
    forms: ['новость', 'новости', 'новостей'],
    nameOf: ({ title }) => title,
    paths: [],
  })
  const mayEdit = useCan('update', News)
  /** Only items with another value, so that undo does not change others. */
  const change = (all: NewsRow[], field: 'active' | 'isPinned', to: boolean, done: string) =>
    run(
      all.filter((one) => one[field] !== to),
      News,
      done,
      async (rows) => {
        const write = (value: boolean) =>
          bulkRecords.batch(News, { update: rows.map(({ id }) => ({ id, [field]: value })) })
        await write(to)
        return () => write(!to)
      },
    )
  return (
    <Box px="var(--ord-room)" pb="var(--ord-room)">
      <RecordTable
        entity={News}
        bare
        prefix="table-"
        columns={columns}
        expand={['images']}
        filter={filter}
        defaults={{ limit: 50 }}
        onOpen={(news) => onOpen(news.id)}
        hrefOf={(news) => `/news/${news.id}`}
        selectable={mayEdit}
        isMuted={(news) => !news.active}
        empty={empty}
        actions={[
          {
            key: 'activate',
            label: 'Опубликовать',
            icon: IconEye,
            allowed: (rows) => rows.some(({ active }) => !active),
            run: (rows) => change(rows, 'active', true, 'Опубликовано'),
          },
          {
            key: 'deactivate',
            label: 'Снять с публикации',
            icon: IconEyeOff,
            allowed: (rows) => rows.some(({ active }) => active),
            run: (rows) => change(rows, 'active', false, 'Снято с публикации'),
          },
          {
            key: 'pin',
            label: 'Закрепить',
            icon: IconPin,
            allowed: (rows) => rows.some(({ isPinned }) => !isPinned),
            run: (rows) => change(rows, 'isPinned', true, 'Закреплено'),
          },
        ]}
      />
    </Box>
  )
}

function Thumb({ news }: { news: NewsRow }) {
  const [first] = picturesOf(news.images)
  return (
    <span className={classes.thumb} aria-hidden>
      {first && <img src={first.thumb} alt="" loading="lazy" />}
    </span>
  )
}
