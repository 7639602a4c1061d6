import { Alert, SegmentedControl } from '@mantine/core'
import { useDebouncedValue, useElementSize } from '@mantine/hooks'
import type { Block as SiteBlock } from '@ordinator/model/areas/site/blocks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import classes from './Site.module.css'

/** Milliseconds without typing until the preview is updated. */
const CALM_MS = 600
/** Widths of the previewed devices, in pixels. */
const widths = { desk: 1280, phone: 390 } as const

interface Props {
  title: string
  blocks: readonly SiteBlock[]
  isHome: boolean
  /** A block is invalid: the last preview stays. */
  isWrong: boolean
}

/** Preview rendered by the server, in a sandboxed frame without scripts, scaled to fit. */
export function PagePreview({ title, blocks, isHome, isWrong }: Props) {
  const [device, setDevice] = useState<keyof typeof widths>('desk')
  const { ref, width } = useElementSize()
  const [asked] = useDebouncedValue({ title, blocks: [...blocks], isHome }, CALM_MS)
  const made = useQuery({
    queryKey: ['site preview', asked],
    queryFn: ({ signal }) => api('POST /client/preview', { body: asked }, { signal, quiet: true, forbidden: 'silent' }),
    enabled: !isWrong,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
    meta: { reportsFailure: true },
  })
  const scale = width > 0 ? Math.min(1, width / widths[device]) : 1
  return (
    <section className={classes.preview} aria-label="Как увидят посетители">
      <VStack gap={8}>
        <HStack justify="space-between" wrap>
          <SegmentedControl
            aria-label="Ширина"
            data={[
              { value: 'desk', label: 'Компьютер' },
              { value: 'phone', label: 'Телефон' },
            ]}
            value={device}
            onChange={(value) => setDevice(value as keyof typeof widths)}
          />
        </HStack>
        {isWrong && (
          <Alert color="yellow" variant="light" role="status">
            Заполните отмеченные блоки, чтобы увидеть их
          </Alert>
        )}
        <div ref={ref} className={classes.frame} aria-busy={made.isFetching || undefined}>
          {made.isError ? (
            <ErrorState error={made.error} onRetry={() => void made.refetch()} />
          ) : made.data ? (
            <iframe
              title="Предпросмотр страницы"
              sandbox=""
              srcDoc={made.data.html}
              className={classes.page}
              style={{ width: widths[device], height: `${100 / scale}%`, transform: `scale(${scale})` }}
            />
          ) : isWrong ? null : (
            <LinesSkeleton lines={12} />
          )}
        </div>
      </VStack>
    </section>
  )
}
