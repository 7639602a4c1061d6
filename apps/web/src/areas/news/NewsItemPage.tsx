import { Box, Button } from '@mantine/core'
import { IconArrowLeft, IconNewsOff } from '@tabler/icons-react'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { id as readId } from '#base/addressValues.ts'
import { useRecordTitle } from '#base/title.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { useNewsAddress } from './address.ts'
import { NewsForm } from './form/NewsForm.tsx'
import { NewsView } from './item/NewsView.tsx'
import { type OpenNews, useOpenNews } from './item/useOpenNews.ts'

/** Characters of the title in the header; the full title is below. */
const MAX_HEAD = 120

/** Новость: the page of an item, to read or edit. */
export default function NewsItemPage() {
  const { id: text } = useParams({ strict: false }) as { id?: string }
  const { data: news, isMissing, error, refetch } = useOpenNews(readId(text))
  const title = news && short(news.title)
  useRecordTitle(title)
  if (readId(text) === undefined || isMissing)
    return (
      <EmptyState
        icon={IconNewsOff}
        title="Новость не найдена"
        text="Возможно, её удалили."
        action={<Button renderRoot={(props) => <Link to="/news" {...props} />}>К списку новостей</Button>}
      />
    )
  if (!news && error) return <ErrorState title="Новость не загрузилась" error={error} onRetry={() => void refetch()} />
  return (
    <>
      <PageHead
        title={title ?? 'Новость'}
        start={
          <IconButton
            icon={IconArrowLeft}
            label="К списку новостей"
            renderRoot={(props) => <Link to="/news" {...props} />}
          />
        }
      />
      <Box px="var(--ord-page)" pb="var(--ord-page)" maw={808}>
        {news ? <Item key={news.id} news={news} /> : <LinesSkeleton lines={10} />}
      </Box>
    </>
  )
}

function Item({ news }: { news: OpenNews }) {
  const navigate = useNavigate()
  const [{ edit }, setAddress] = useNewsAddress()
  const read = () => setAddress({ edit: undefined }, { replace: true })
  const leave = () => void navigate({ to: '/news' })
  if (edit) return <NewsForm news={news} onSaved={read} onCancel={read} onRemoved={leave} />
  return (
    <NewsView
      news={news}
      untitled={short(news.title) === news.title}
      onEdit={() => setAddress({ edit: true })}
      onRemoved={leave}
    />
  )
}

const short = (title: string) => (title.length > MAX_HEAD ? `${title.slice(0, MAX_HEAD).trimEnd()}…` : title)
