import { Select } from '@mantine/core'
import { MetrikaCounter, MetrikaUpload, uploadStatuses } from '@ordinator/model/areas/metrika/metrika'
import { counted, formatDay } from '@ordinator/model/format'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { notify } from '#kit/notify.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { useList } from '#records/reads.ts'
import classes from './Metrika.module.css'

/** Preview of the data sent to the counter. */
export function UploadDialog({ from, to, onClose }: { from: string; to: string; onClose: () => void }) {
  const cache = useQueryClient()
  const counters = useList(MetrikaCounter, { sort: 'name', limit: 100 })
  const [chosen, setChosen] = useState<number>()
  const id = chosen ?? counters.data?.items[0]?.id
  const sample = useQuery({
    queryKey: ['metrika', 'sample', id, from, to],
    queryFn: () => api('GET /metrika/counters/:id/upload', { params: { id: id as number }, query: { from, to } }),
    enabled: id !== undefined,
  })
  return (
    <ActionDialog
      title="Отправить события клиники в Метрику"
      size="lg"
      action="Отправить"
      disabled={!sample.data?.rows}
      run={async () => {
        const made = await api('POST /metrika/counters/:id/upload', {
          params: { id: id as number },
          body: { from, to },
        })
        await invalidateRecords(cache, MetrikaUpload.path)
        notify.success(`${uploadStatuses[made.status]}: ${counted(made.rows, ['строка', 'строки', 'строк'])}`)
      }}
      onClose={onClose}
    >
      <VStack gap={12}>
        <p>
          Период {formatDay(from)} – {formatDay(to)}. Уходят номер посетителя на сайте, цель и время; имён, телефонов и
          диагнозов в файле нет. Каждое событие отправляется один раз.
        </p>
        {(counters.data?.items.length ?? 0) > 1 && (
          <Select
            label="Счётчик"
            allowDeselect={false}
            data={counters.data?.items.map(({ id: value, name }) => ({ value: String(value), label: name })) ?? []}
            value={id === undefined ? null : String(id)}
            onChange={(value) => setChosen(Number(value))}
          />
        )}
        {sample.isError ? (
          <ErrorState error={sample.error} onRetry={() => void sample.refetch()} />
        ) : !sample.data ? (
          <LinesSkeleton lines={4} />
        ) : sample.data.rows === 0 ? (
          <Muted>
            Отправлять нечего: за период нет новых событий с номером посетителя. Его присылает форма сайта в поле
            _ym_uid или yclid.
          </Muted>
        ) : (
          <>
            <strong>{counted(sample.data.rows, ['строка', 'строки', 'строк'])}</strong>
            <pre className={classes.lines}>{sample.data.lines.join('\n')}</pre>
          </>
        )}
        {sample.data && sample.data.unknown > 0 && (
          <Fine>Событий без номера посетителя: {sample.data.unknown}. Они не уходят.</Fine>
        )}
      </VStack>
    </ActionDialog>
  )
}
