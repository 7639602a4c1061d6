import '@mantine/charts/styles.layer.css'
import { ScatterChart } from '@mantine/charts'
import { Badge, Textarea, TextInput } from '@mantine/core'
import { allowed } from '@ordinator/model/access'
import { LabControl, LabControlRun } from '@ordinator/model/areas/laboratory/control'
import { valueWords } from '@ordinator/model/areas/laboratory/values'
import { type WestgardRule, westgardRules } from '@ordinator/model/areas/laboratory/westgard'
import { formatDay, formatNumber } from '@ordinator/model/format'
import { messages } from '@ordinator/model/messages'
import { pageByKey } from '@ordinator/model/pages'
import { IconPlus, IconShieldLock } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useAddress } from '#base/address.ts'
import { id } from '#base/addressValues.ts'
import { api } from '#base/api.ts'
import { recordsWith } from '#base/client.ts'
import type { Search } from '#base/redirect.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { Dialog } from '#kit/Dialog.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { notify } from '#kit/notify.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { noTabStops, Picture } from '#kit/Picture.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { RecordForm } from '#records/RecordForm.tsx'
import { retries } from '#records/reads.ts'
import sharedClasses from './Laboratory.module.css'
import classes from './QualityPage.module.css'
import { TableFrame } from './words.tsx'

const page = pageByKey('labQuality')
const readAddress = (search: Search) => ({ control: id(search.control) })
const live = ['laboratory/control-runs', 'laboratory/controls']
const asked = recordsWith({ forbidden: 'toast' })

/** Контроль качества: control charts, held results, corrective actions. */
export default function QualityPage() {
  const [{ control }, setAddress] = useAddress(readAddress)
  const [adding, setAdding] = useState(false)
  const mayAdd = useCan('create', LabControl)
  const cache = useQueryClient()
  const answer = useQuery({
    queryKey: ['lab-controls'],
    queryFn: ({ signal }) => api('GET /laboratory/controls/states', {}, { signal }),
    retry: retries,
    meta: { live },
  })
  const items = answer.data?.items ?? []
  const chosen = control ?? items[0]?.id
  return (
    <>
      <PageHead
        title={page.title}
        help={page.help}
        actions={
          mayAdd && (
            <ActionButton label="Новый контроль" icon={IconPlus} variant="default" onClick={() => setAdding(true)} />
          )
        }
      />
      <div className={sharedClasses.body}>
        {answer.isPending ? (
          <LinesSkeleton lines={8} />
        ) : answer.isError ? (
          <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
        ) : items.length === 0 ? (
          <EmptyState {...(LabControl.registry?.empty ?? { title: 'Контролей пока нет' })} />
        ) : (
          <div className={classes.controls}>
            <VStack gap={6}>
              {items.map((one) => (
                <button
                  key={one.id}
                  type="button"
                  className={classes.control}
                  aria-pressed={one.id === chosen}
                  onClick={() => setAddress({ control: one.id }, { replace: true })}
                >
                  <b>{one.analyte}</b> · {one.level.toLowerCase()}
                  <Fine component="div">
                    {one.device} · лот {one.lot}
                    {one.lastValue && ` · ${valueWords(String(one.lastValue))}`}
                  </Fine>
                  <HStack gap={6} wrap>
                    {one.rejected ? (
                      <Badge size="sm" color="red" variant="filled">
                        не принят
                      </Badge>
                    ) : one.lastAt ? (
                      <Badge size="sm" color={one.broken.length ? 'orange' : 'teal'} variant="light">
                        {one.broken.length ? 'предупреждение' : 'принят'}
                      </Badge>
                    ) : (
                      <Muted>не измерялся</Muted>
                    )}
                    {one.expired && (
                      <Badge size="sm" color="red" variant="light">
                        срок вышел
                      </Badge>
                    )}
                    {one.held > 0 && (
                      <Fine>
                        <IconShieldLock size={14} aria-hidden /> держит {one.held}
                      </Fine>
                    )}
                  </HStack>
                </button>
              ))}
            </VStack>
            {chosen !== undefined && <Chart key={chosen} idControl={chosen} />}
          </div>
        )}
      </div>
      {adding && (
        <Dialog title="Новый контроль" size="lg" onClose={() => setAdding(false)}>
          <RecordForm
            entity={LabControl}
            saveLabel="Добавить"
            onSaved={() => {
              setAdding(false)
              void cache.invalidateQueries({ queryKey: ['lab-controls'] })
            }}
            onCancel={() => setAdding(false)}
          />
        </Dialog>
      )}
    </>
  )
}

function Chart({ idControl }: { idControl: number }) {
  const cache = useQueryClient()
  const [open, setOpen] = useState<'run' | number>()
  const mayRun = allowed(useActor(), 'enterLabResults')
  const answer = useQuery({
    queryKey: ['lab-controls', 'chart', idControl],
    queryFn: ({ signal }) => api('GET /laboratory/controls/:id/chart', { params: { id: idControl } }, { signal }),
    retry: retries,
    meta: { live },
  })
  const read = () => cache.invalidateQueries({ queryKey: ['lab-controls'] })
  if (answer.isPending) return <LinesSkeleton lines={8} />
  if (answer.isError) return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
  const { data } = answer
  const { mean, sd, runs } = data
  const points = runs.flatMap(({ valueNum, rejected, broken }, at) =>
    valueNum === null
      ? []
      : [{ run: at + 1, value: valueNum, kind: rejected ? 'bad' : broken?.length ? 'warn' : 'good' }],
  )
  const of = (kind: string) => points.filter((point) => point.kind === kind).map(({ run, value }) => ({ run, value }))
  const lines = mean === null || sd === null ? [] : [-3, -2, -1, 0, 1, 2, 3].map((n) => ({ y: mean + n * sd, n }))
  const facts: readonly (readonly [string, string])[] = [
    ['Материал', `${data.name}, лот ${data.lot}`],
    ['Годен до', data.expiresOn ? formatDay(data.expiresOn) : '—'],
    [
      'Паспорт',
      mean === null ? (data.expected ?? '—') : `${formatNumber(mean)} ± ${formatNumber(sd)} ${data.unit ?? ''}`,
    ],
    [
      'Получено',
      data.observedMean === null ? '—' : `${formatNumber(data.observedMean, 2)} ± ${formatNumber(data.observedSd, 2)}`,
    ],
    ['Сигма', data.sigma === null ? '—' : formatNumber(data.sigma, 1)],
  ]
  return (
    <VStack gap={12} miw={0}>
      <section className={sharedClasses.panel}>
        <HStack wrap gap={8} justify="space-between" mb={8}>
          <h2 className={sharedClasses.panelTitle}>
            {data.analyte}, {data.level.toLowerCase()} <Muted>{data.device}</Muted>
          </h2>
          {mayRun && <ActionButton label="Записать измерение" icon={IconPlus} onClick={() => setOpen('run')} />}
        </HStack>
        {points.length && mean !== null && sd !== null ? (
          <Picture table="beside">
            <ScatterChart
              scatterChartProps={noTabStops}
              h={300}
              data={[
                { name: 'Принято', color: 'teal.6', data: of('good') },
                { name: 'Предупреждение', color: 'orange.6', data: of('warn') },
                { name: 'Не принято', color: 'red.7', data: of('bad') },
              ]}
              dataKey={{ x: 'run', y: 'value' }}
              withLegend
              xAxisProps={{ domain: [1, Math.max(2, runs.length)], allowDecimals: false }}
              yAxisProps={{
                domain: [
                  Math.min(mean - 3.5 * sd, ...points.map(({ value }) => value)),
                  Math.max(mean + 3.5 * sd, ...points.map(({ value }) => value)),
                ],
                width: 60,
                tickFormatter: (value: number) => formatNumber(value, 2),
              }}
              referenceLines={lines.map(({ y, n }) => ({
                y,
                label: n === 0 ? 'x̄' : `${n > 0 ? '+' : ''}${n}s`,
                color: n === 0 ? 'gray.7' : Math.abs(n) === 3 ? 'red.5' : Math.abs(n) === 2 ? 'orange.5' : 'gray.4',
              }))}
              scatterProps={{ isAnimationActive: false }}
            />
          </Picture>
        ) : (
          <Muted>
            {runs.length ? 'У качественного контроля нет чисел: измерения в таблице.' : 'Измерений ещё нет.'}
          </Muted>
        )}
        <dl className={sharedClasses.facts}>
          {facts.map(([label, value]) => (
            <div key={label} className={sharedClasses.fact}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section className={sharedClasses.panel}>
        <h2 className={sharedClasses.panelTitle}>Измерения и примечания</h2>
        <TableFrame label="Измерения: таблица" high>
          <table className={sharedClasses.table}>
            <thead>
              <tr>
                <th>Когда</th>
                <th className={sharedClasses.number}>Значение</th>
                <th className={sharedClasses.number}>z</th>
                <th>Правила</th>
                <th>Примечание</th>
              </tr>
            </thead>
            <tbody>
              {runs.toReversed().map((run) => (
                <tr key={run.id}>
                  <td className="tabular nowrap">{formatDateTime(run.dateCreate)}</td>
                  <td className={sharedClasses.number}>{valueWords(String(run.value))}</td>
                  <td className={sharedClasses.number}>{run.z === null ? '' : formatNumber(run.z, 2)}</td>
                  <td>
                    {(run.broken ?? []).map((rule) => (
                      <div key={rule}>
                        <Badge size="sm" color={run.rejected ? 'red' : 'orange'} variant="light">
                          {rule}
                        </Badge>{' '}
                        <Fine>{westgardRules[rule as WestgardRule]}</Fine>
                      </div>
                    ))}
                  </td>
                  <td>
                    {run.remark}
                    {mayRun && (
                      <ActionButton
                        label={run.remark ? 'Изменить' : 'Примечание'}
                        size="compact-xs"
                        variant="subtle"
                        onClick={() => setOpen(run.id)}
                      />
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableFrame>
      </section>
      {open === 'run' && (
        <RunDialog idControl={idControl} expected={data.expected} onDone={read} onClose={() => setOpen(undefined)} />
      )}
      {typeof open === 'number' && (
        <RemarkDialog
          id={open}
          remark={runs.find((run) => run.id === open)?.remark ?? ''}
          onDone={read}
          onClose={() => setOpen(undefined)}
        />
      )}
    </VStack>
  )
}

function RunDialog({
  idControl,
  expected,
  onDone,
  onClose,
}: {
  idControl: number
  expected: string | null
  onDone: () => Promise<void>
  onClose: () => void
}) {
  const [value, setValue] = useState('')
  const [remark, setRemark] = useState('')
  return (
    <ActionDialog
      title="Измерение контроля"
      action="Записать"
      faults={{ value: !value.trim() && messages.required }}
      onClose={onClose}
      run={async () => {
        const run = await asked.create(LabControlRun, { idControl, value, remark: remark || null })
        await onDone()
        if (run.rejected) notify.error('Контроль не принят: результаты этого показателя задержаны')
        else notify.success('Контроль принят')
      }}
    >
      {(errorOf) => (
        <VStack gap={12}>
          <TextInput
            label="Значение"
            required
            data-autofocus
            maxLength={64}
            placeholder={expected ?? ''}
            value={value}
            error={errorOf('value')}
            onChange={(event) => setValue(event.currentTarget.value)}
          />
          <Textarea
            label="Примечание"
            autosize
            minRows={2}
            maxLength={1000}
            value={remark}
            onChange={(event) => setRemark(event.currentTarget.value)}
          />
        </VStack>
      )}
    </ActionDialog>
  )
}

function RemarkDialog({
  id: idRun,
  remark,
  onDone,
  onClose,
}: {
  id: number
  remark: string
  onDone: () => Promise<void>
  onClose: () => void
}) {
  const [words, setWords] = useState(remark)
  return (
    <ActionDialog
      title="Примечание к измерению"
      action="Сохранить"
      onClose={onClose}
      run={async () => {
        await asked.update(LabControlRun, idRun, { remark: words || null })
        await onDone()
      }}
    >
      <Textarea
        label="Что сделано"
        autosize
        minRows={3}
        maxLength={1000}
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
      />
    </ActionDialog>
  )
}
