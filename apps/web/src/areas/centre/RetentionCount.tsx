import { useDebouncedValue } from '@mantine/hooks'
import { counted } from '@ordinator/model/format'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { FailedLoad } from '#kit/FailedLoad.tsx'
import { Fine } from '#kit/Words.tsx'

const CALM_MS = 400

/** Preview before saving: number of records that these terms would delete tonight. */
export function RetentionCount(given: { recordings: number; transcripts: number; chats: number }) {
  const [query] = useDebouncedValue(given, CALM_MS)
  const { recordings, transcripts, chats } = query
  const asked = [recordings, transcripts, chats].every(
    (months) => Number.isInteger(months) && months >= 0 && months <= 240,
  )
  const found = useQuery({
    queryKey: ['retention', recordings, transcripts, chats],
    queryFn: ({ signal }) => api('GET /settings/retention', { query }, { signal, forbidden: 'silent' }),
    enabled: asked && recordings + transcripts + chats > 0,
    placeholderData: keepPreviousData,
  })
  if (!asked) return null
  if (recordings + transcripts + chats === 0) return <Fine>Ничего не удаляется: сроки не заданы.</Fine>
  if (found.isError && !found.data) return <FailedLoad what="Посчитать не удалось" load={found} />
  if (!found.data) return <Fine>Считаем, что попадает под эти сроки…</Fine>
  const parts = [
    recordings > 0 && `записей разговоров — ${countText(found.data.recordings)}`,
    transcripts > 0 && `расшифровок — ${countText(found.data.transcripts)}`,
    chats > 0 && `чатов — ${countText(found.data.chats)}`,
  ].filter(Boolean)
  return (
    <Fine role="status">
      По этим срокам ближайшей ночью уйдёт: {parts.join(', ')}. Удалённые запись и расшифровку вернуть нельзя; чат ещё
      лежит в корзине.
    </Fine>
  )
}

const countText = ({ count, more }: { count: number; more: boolean }): string =>
  more ? `больше ${counted(count, ['штуки', 'штук', 'штук'])}` : String(count)
