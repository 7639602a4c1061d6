import { Badge, TextInput } from '@mantine/core'
import { LabAnalyte } from '@ordinator/model/areas/laboratory/catalogue'
import {
  LabDevice,
  LabDeviceCode,
  LabStray,
  messageStates,
  protocols,
  strayReasons,
  transports,
} from '@ordinator/model/areas/laboratory/device'
import { sections } from '@ordinator/model/areas/laboratory/words'
import type { Expanded } from '@ordinator/model/client'
import type { Row } from '@ordinator/model/entity'
import { counted } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { IconRefresh, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, useContext, useState } from 'react'
import { type Answer, api } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { formatDateTime, formatDateTimeSeconds } from '#kit/clock.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { LoadMore } from '#kit/LoadMore.tsx'
import { notify } from '#kit/notify.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { notifyFailure } from '#records/notifyFailure.ts'
import { RegistryPage } from '#records/RegistryPage.tsx'
import { asRows, retries, useList } from '#records/reads.ts'
import { PartList } from '#records/registry/PartList.tsx'
import type { RecordParts } from '#records/registry/RegistryRecord.tsx'
import type { ColumnSpec } from '#records/table/columns.ts'
import classes from './DevicesPage.module.css'
import sharedClasses from './Laboratory.module.css'
import wordsClasses from './words.module.css'
import { TableFrame } from './words.tsx'

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
  codes: { label: 'Коды', panel: (device) => <Codes device={device} /> },
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

const MAX_STRAYS = 100

/** Unrecognized data of devices, to resolve by an employee. */
function Strays() {
  const cache = useQueryClient()
  const [settling, setSettling] = useState<Expanded<typeof LabStray, 'device'>>()
  const mayEdit = useCan('update', LabStray)
  const list = useList(
    LabStray,
    { filter: { status: 'open' }, expand: ['device'], sort: '-id', limit: MAX_STRAYS },
    { forbidden: 'silent' },
  )
  const rows = asRows<Expanded<typeof LabStray, 'device'>>(list.data?.items)
  const drop = useMutation({
    mutationFn: (id: number) =>
      api('POST /laboratory/strays/:id/settle', { params: { id }, body: { drop: true } }, { forbidden: 'toast' }),
    onError: notifyFailure,
    onSuccess: () => invalidateRecords(cache, LabStray.path),
  })
  if (rows.length === 0) return null
  return (
    <section className={sharedClasses.panel} aria-label="Неразобранное">
      <h2 className={sharedClasses.panelTitle}>
        Не разобрано <Muted>{rows.length}</Muted>
      </h2>
      <TableFrame label="Не разобрано: таблица">
        <table className={sharedClasses.table}>
          <thead>
            <tr>
              <th>Когда</th>
              <th>Анализатор</th>
              <th>Почему</th>
              <th>Пробирка</th>
              <th>Код</th>
              <th className={sharedClasses.number}>Значение</th>
              <th>
                <span className={wordsClasses.spoken}>Действия</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((stray) => (
              <tr key={stray.id}>
                <td className="tabular nowrap">{formatDateTime(stray.dateCreate)}</td>
                <td>{stray.device?.name ?? 'Партнёр'}</td>
                <td>
                  {strayReasons[stray.reason]}
                  {stray.times > 1 && <Muted> × {stray.times}</Muted>}
                  {stray.note && <Fine component="div">{stray.note}</Fine>}
                </td>
                <td className="tabular">{stray.barcode}</td>
                <td className="tabular">{stray.code}</td>
                <td className={sharedClasses.number}>
                  {stray.value} <Muted>{stray.unit}</Muted>
                </td>
                <td>
                  {mayEdit && (
                    <HStack gap={6} justify="flex-end">
                      {stray.value && (
                        <ActionButton
                          label="Разобрать"
                          size="compact-sm"
                          variant="default"
                          onClick={() => setSettling(stray)}
                        />
                      )}
                      <ActionButton
                        label="Не нужно"
                        size="compact-sm"
                        variant="subtle"
                        icon={IconTrash}
                        onClick={() => drop.mutate(stray.id)}
                      />
                    </HStack>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
      {settling && <SettleDialog stray={settling} onClose={() => setSettling(undefined)} />}
    </section>
  )
}

function SettleDialog({ stray, onClose }: { stray: Row<typeof LabStray>; onClose: () => void }) {
  const cache = useQueryClient()
  const [barcode, setBarcode] = useState('')
  const [idAnalyte, setAnalyte] = useState<number | null>(null)
  // A value in another unit is converted by the employee.
  const [value, setValue] = useState(stray.reason === 'unit' ? '' : (stray.value ?? ''))
  return (
    <ActionDialog
      title="Отнести значение к пробе"
      action="Записать"
      faults={{
        barcode: !barcode.trim() && 'Отсканируйте пробирку',
        idAnalyte: !idAnalyte && 'Выберите показатель',
        value: !value.trim() && 'Укажите значение в единице показателя',
      }}
      onClose={onClose}
      run={async () => {
        await api(
          'POST /laboratory/strays/:id/settle',
          { params: { id: stray.id }, body: { barcode, idAnalyte: idAnalyte as number, value } },
          { forbidden: 'toast' },
        )
        await invalidateRecords(cache, LabStray.path)
        notify.success('Значение записано как полученное: его ещё проверят')
      }}
    >
      {(errorOf) => (
        <VStack gap={12}>
          <span>
            Прибор прислал <b>{stray.value}</b> {stray.unit} по коду {stray.code}. Программа не угадывает: укажите, чьё
            это и что это.
          </span>
          <TextInput
            label="Пробирка"
            required
            data-autofocus
            maxLength={12}
            value={barcode}
            error={errorOf('barcode')}
            onChange={(event) => setBarcode(event.currentTarget.value)}
          />
          <RefSelect
            to={LabAnalyte.path}
            label="Показатель"
            required
            value={idAnalyte}
            error={errorOf('idAnalyte')}
            onChange={setAnalyte}
          />
          <TextInput
            label="Значение в единице показателя"
            required
            maxLength={1000}
            value={value}
            error={errorOf('value')}
            onChange={(event) => setValue(event.currentTarget.value)}
          />
        </VStack>
      )}
    </ActionDialog>
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
