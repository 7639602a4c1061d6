import { useQuery } from '@tanstack/react-query'
import type { Ref } from 'react'
import { api, apiUrl } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { type SoundControl, SoundPlayer } from '#kit/SoundPlayer.tsx'
import { Muted } from '#kit/Words.tsx'

interface Props {
  idCall: number
  control?: Ref<SoundControl>
  onTime?: (seconds: number) => void
}

/** Recording of a call. */
export function Player({ idCall, ...sound }: Props) {
  const params = { id: idCall }
  const drawn = useQuery({
    queryKey: ['calls', idCall, 'peaks'],
    queryFn: () => api('GET /calls/:id/peaks', { params }, { forbidden: 'silent' }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    meta: { reportsFailure: true },
  })
  if (drawn.isError) return <Muted role="status">{errorMessage(drawn.error)}</Muted>
  if (!drawn.data) return <LinesSkeleton lines={1} />
  return (
    <SoundPlayer
      src={apiUrl('GET /calls/:id/record', { params })}
      download={apiUrl('GET /calls/:id/record', { params, query: { download: '' } })}
      {...drawn.data}
      {...sound}
    />
  )
}
