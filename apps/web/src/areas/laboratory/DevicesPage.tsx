import { Badge } from '@mantine/core'
import {
  LabDevice,
  LabDeviceCode,
  LabDeviceWord,
  LabStray,
  messageStates,
  protocols,
  transports,
} from '@ordinator/model/areas/laboratory/device'
import { sections } from '@ordinator/model/areas/laboratory/words'
import type { Expanded } from '@ordinator/model/client'
import type { Row } from '@ordinator/model/entity'
import { counted } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { IconRefresh } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, useContext, useState } from 'react'
import { type Answer, api } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDateTimeSeconds } from '#kit/clock.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { LoadMore } from '#kit/LoadMore.tsx'
import { notify } from '#kit/notify.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { notifyFailure } from '#records/notifyFailure.ts'
import { RegistryPage } from '#records/RegistryPage.tsx'
import { asRows, retries, useList } from '#records/reads.ts'
import { PartList } from '#records/registry/PartList.tsx'
import type { RecordParts } from '#records/registry/RegistryRecord.tsx'
import type { ColumnSpec } from '#records/table/columns.ts'
import classes from './DevicesPage.module.css'
import sharedClasses from './Laboratory.module.css'
import { Strays } from './strays/Strays.tsx'
import wordsClasses from './words.module.css'

type Lamp = Answer<'GET /laboratory/devices/lamps'>['items'][number]
const LAMPS_MS = 5_000

const Lamps = createContext<ReadonlyMap<number, Lamp>>(new Map())

function LampCell({ id }: { id: number }) {
  const lamp = useContext(Lamps).get(id)
  if (!lamp) return <Muted>…</Muted>
  return (
    <span className={classes.lamp} data-state={lamp.state} title={lamp.words}>
      <span className={wordsClasses.short}>{lamp.words}</span>
      {lamp.open > 0 && (
        <Badge size="xs" color="red" variant="light">
          {lamp.open}
        </Badge>
      )}
    </span>
  )
}

const columns: readonly ColumnSpec<Row<typeof LabDevice>>[] = [
  { key: 'name', width: 200 },
  { key: 'lastSeen', label: 'Связь', width: 240, cell: ({ id }) => <LampCell id={id} /> },
  { key: 'section', width: 150, cell: ({ section }) => sections[section] },
  { key: 'protocol', width: 150, cell: ({ protocol }) => protocols[protocol] },
  { key: 'transport', width: 210, cell: ({ transport }) => transports[transport] },
  { key: 'port', width: 80, align: 'right', cell: ({ port }) => <span className="tabular">{port}</span> },
  { key: 'model', width: 130 },
]

const tabs: RecordParts<typeof LabDevice>['tabs'] = {
  codes: {
    label: 'Коды',
    panel: (device) => (
      <VStack gap={16}>
        <Codes device={device} />
        <Words device={device} />
      </VStack>
    ),
  },
  log: { label: 'Журнал', panel: (device) => <DeviceLog key={device.id} device={device} /> },
}

/** Анализаторы: connection, messages, and unrecognized data. */
export default function DevicesPage() {
  const lamps = useQuery({
    queryKey: ['lab-lamps'],
    queryFn: ({ signal }) => api('GET /laboratory/devices/lamps', {}, { signal, forbidden: 'silent' }),
    refetchInterval: LAMPS_MS,
    retry: retries,
  })
  const byId = new Map(lamps.data?.items.map((lamp) => [lamp.id, lamp]))
  return (
    <Lamps value={byId}>
      <RegistryPage
        page={pageByKey('labDevices')}
        entity={LabDevice}
        columns={columns}
        tabs={tabs}
        isMuted={({ active }) => !active}
        wide
        layout={(list) => (
          <VStack gap={16} px="var(--ord-page)" pb="var(--ord-page)">
            {lamps.data?.items.map((lamp) => lamp.askedHost && <AskedAddress key={lamp.id} lamp={lamp} />)}
            <Strays />
            {list}
          </VStack>
        )}
      />
    </Lamps>
  )
}

/** A refused connection from another address than the device's, to accept or to decline. */
function AskedAddress({ lamp: { id, name, askedHost } }: { lamp: Lamp }) {
  const cache = useQueryClient()
  const mayEdit = useCan('update', LabDevice)
  const settle = useMutation({
    mutationFn: (accept: boolean) =>
      api('POST /laboratory/devices/:id/address', { params: { id }, body: { accept } }, { forbidden: 'toast' }),
    onError: notifyFailure,
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: ['lab-lamps'] })
      await invalidateRecords(cache, LabDevice.path)
    },
  })
  return (
    <section className={sharedClasses.panel} aria-label={`Другой адрес: ${name}`}>
      <HStack gap={12} justify="space-between" wrap>
        <span>
          К прибору «{name}» подключались с другого адреса: <b>{askedHost}</b>. Соединение отклонено.
        </span>
        {mayEdit && (
          <HStack gap={6}>
            <ActionButton
              label="Это наш прибор"
              size="compact-sm"
              variant="default"
              onClick={() => settle.mutate(true)}
            />
            <ActionButton
              label="Не принимать"
              size="compact-sm"
              variant="subtle"
              onClick={() => settle.mutate(false)}
            />
          </HStack>
        )}
      </HStack>
    </section>
  )
}

const Codes = ({ device }: { device: Row<typeof LabDevice> }) => (
  <PartList
    entity={LabDeviceCode}
    title="Коды показателей"
    of={{ idDevice: device.id }}
    fields={['code', 'idAnalyte', 'unit', 'factor', 'ignored']}
    expand={['analyte']}
    face={({ code, analyte, unit, factor, ignored }) => (
      <>
        <span className="tabular">{code}</span> — {ignored ? <Muted>не нужен</Muted> : analyte?.name}
        <Fine component="div">
          {ignored
            ? ''
            : `${unit ?? 'без единицы'} → ${analyte?.unit ?? 'без единицы'}${factor !== 1 ? `, × ${factor}` : ''}`}
        </Fine>
      </>
    )}
  />
)

/** Words that the device sends instead of numbers, with what they mean. */
const Words = ({ device }: { device: Row<typeof LabDevice> }) => {
  const list = useList(LabDeviceWord, {
    filter: { 'code.idDevice': device.id },
    expand: ['code'],
    sort: 'said',
    limit: MAX_WORDS,
  })
  const rows = asRows<Expanded<typeof LabDeviceWord, 'code'>>(list.data?.items)
  if (rows.length === 0) return null
  return (
    <section aria-label="Слова прибора">
      <h3>Слова прибора</h3>
      <ul>
        {rows.map(({ id, code, said, value, isNone }) => (
          <li key={id}>
            <span className="tabular">{code?.code}</span>: «{said}» — {isNone ? 'нет результата' : value}
          </li>
        ))}
      </ul>
    </section>
  )
}
const MAX_WORDS = 200

const stateColors: Partial<Record<keyof typeof messageStates, string>> = {
  done: 'teal',
  partly: 'orange',
  broken: 'red',
  repeat: 'gray',
  sent: 'blue',
}

function DeviceLog({ device }: { device: Row<typeof LabDevice> }) {
  const cache = useQueryClient()
  const [before, setBefore] = useState<number[]>([])
  const mayReread = useCan('update', LabDevice)
  const last = before.at(-1)
  const answer = useQuery({
    queryKey: ['lab-log', device.id, last],
    queryFn: ({ signal }) =>
      api(
        'GET /laboratory/devices/:id/log',
        { params: { id: device.id }, query: { ...(last && { before: last }) } },
        { signal },
      ),
    retry: retries,
    placeholderData: (now) => now,
  })
  const reread = useMutation({
    mutationFn: (id: number) => api('POST /laboratory/log/:id/reread', { params: { id } }, { forbidden: 'toast' }),
    onError: notifyFailure,
    onSuccess: async ({ results, strays }) => {
      await answer.refetch()
      await invalidateRecords(cache, LabStray.path)
      notify.success(
        `Принято ${counted(results, ['значение', 'значения', 'значений'])}${strays ? `, не разобрано ${strays}` : ''}`,
      )
    },
  })
  if (answer.isPending) return <LinesSkeleton lines={6} />
  if (answer.isError) return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
  if (answer.data.items.length === 0)
    return (
      <EmptyState
        title="Прибор ещё ничего не прислал"
        text="Проверьте адрес и порт на приборе. Имитатор: npm run simulate analyser."
      />
    )
  return (
    <VStack gap={8}>
      {answer.data.items.map((message) => (
        <details key={message.id}>
          <summary>
            <span className="tabular">{formatDateTimeSeconds(message.at)}</span>{' '}
            <Badge size="sm" variant="light" color={stateColors[message.state] ?? 'gray'}>
              {messageStates[message.state]}
            </Badge>{' '}
            <Fine>
              {message.direction === 'out' ? 'отправлено' : 'получено'} · {message.bytes} байт
              {message.results > 0 && ` · ${counted(message.results, ['значение', 'значения', 'значений'])}`}
              {message.note && ` · ${message.note}`}
            </Fine>
          </summary>
          <pre className={classes.raw}>{message.text}</pre>
          {message.cut && <Fine>Показано начало: целиком сообщение хранится в журнале.</Fine>}
          {mayReread && message.direction === 'in' && (
            <ActionButton
              mt={6}
              label="Разобрать заново"
              size="compact-sm"
              variant="default"
              icon={IconRefresh}
              loading={reread.isPending}
              onClick={() => reread.mutate(message.id)}
            />
          )}
        </details>
      ))}
      {answer.data.next !== null && (
        <LoadMore
          label="Раньше"
          loading={answer.isFetching}
          onMore={() => setBefore([...before, answer.data.next as number])}
        />
      )}
    </VStack>
  )
}
