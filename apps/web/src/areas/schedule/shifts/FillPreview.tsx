import { useQuery } from '@tanstack/react-query'
import { type Answer, api, type Body } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { retries } from '#records/reads.ts'
import { dayPaths, shortDay } from '../day.ts'
import { filledText } from './filledText.ts'
import { Hits } from './Hits.tsx'

type FillName = 'POST /staff-events/fill' | 'POST /staff-events/copy-week'

/** Dry run of a filling. */
export const useFillPreview = <N extends FillName>(name: N, body: Body<N> | undefined) =>
  useQuery({
    queryKey: [name, body],
    queryFn: ({ signal }) =>
      api(
        name as 'POST /staff-events/fill',
        { body: { ...(body as Body<'POST /staff-events/fill'>), dryRun: true } },
        {
          signal,
          forbidden: 'silent',
        },
      ),
    enabled: body !== undefined,
    retry: retries,
    placeholderData: (before) => before,
    meta: { live: dayPaths, reportsFailure: true },
  })

const SHOWN = 3

interface Props {
  preview: { data?: Answer<'POST /staff-events/fill'>; error: unknown; isError: boolean }
}

/** Result of a filling: added days, skipped ones with reasons, affected visits. */
export function FillPreview({ preview: { data, error, isError } }: Props) {
  if (isError) return <Muted role="alert">{errorMessage(error)}</Muted>
  if (!data) return null
  const { made, skipped, hit } = data
  return (
    <VStack gap={8} role="status">
      <Muted>{filledText(made, skipped.length)}</Muted>
      {skipped.slice(0, SHOWN).map(({ localDate, idUser, reason }) => (
        <Fine key={`${localDate}${idUser}`}>
          {shortDay(localDate)}: {reason}
        </Fine>
      ))}
      <Hits hits={hit} />
    </VStack>
  )
}
