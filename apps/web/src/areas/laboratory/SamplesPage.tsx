import { Select, TextInput } from '@mantine/core'
import { allowed } from '@ordinator/model/access'
import { Filial } from '@ordinator/model/areas/filials/filial'
import { Laboratory } from '@ordinator/model/areas/laboratory/laboratory'
import { LabShipment } from '@ordinator/model/areas/laboratory/sample'
import {
  rejectReasons,
  type SampleStatus,
  type SampleStep,
  sampleSteps,
} from '@ordinator/model/areas/laboratory/states'
import { biomaterials, type TempMode, temperatures } from '@ordinator/model/areas/laboratory/words'
import type { Expanded } from '@ordinator/model/client'
import { counted } from '@ordinator/model/format'
import { messages } from '@ordinator/model/messages'
import { pageByKey } from '@ordinator/model/pages'
import { IconCircleCheck, IconCircleX, IconFileTypePdf, IconPlus, IconTruckDelivery } from '@tabler/icons-react'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { memo, useEffect, useRef, useState } from 'react'
import { useAddress } from '#base/address.ts'
import { word } from '#base/addressValues.ts'
import { type Answer, api, apiUrl } from '#base/api.ts'
import { ApiError, errorMessage } from '#base/apiError.ts'
import { recordsWith } from '#base/client.ts'
import { download } from '#base/http.ts'
import { PageLink } from '#base/PageLink.tsx'
import type { Search } from '#base/redirect.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { useHotkey } from '#kit/hotkeys.ts'
import { NumberField } from '#kit/NumberField.tsx'
import { notify } from '#kit/notify.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { asRows, retries, useList } from '#records/reads.ts'
import { beep } from './beep.ts'
import classes from './Laboratory.module.css'
import { labKey, laboratoryLive, readLaboratory } from './reads.ts'
import { SampleBadge, TubeCap } from './words.tsx'

const page = pageByKey('labSamples')
type Scanned = Answer<'POST /laboratory/samples/scan'>

/** Scan modes, in the order of the keys 1…7; «Показать» changes nothing. */
const steps = [
  'take',
  'pack',
  'receive',
  'begin',
  'archive',
  'reject',
  'dispose',
] as const satisfies readonly SampleStep[]
type Mode = (typeof steps)[number] | 'show'
const modes: Record<Mode, string> = {
  ...(Object.fromEntries(steps.map((step) => [step, sampleSteps[step].label])) as Record<
    (typeof steps)[number],
    string
  >),
  show: 'Показать',
}
/** State of the tubes listed beside each mode. */
const waits: Record<Mode, SampleStatus> = {
  take: 'planned',
  pack: 'taken',
  receive: 'shipped',
  begin: 'received',
  archive: 'inWork',
  reject: 'taken',
  dispose: 'archived',
  show: 'planned',
}
const done: Record<Mode, string> = {
  take: 'Взята',
  pack: 'Упакована',
  receive: 'Принята',
  begin: 'В работе',
  archive: 'В архиве',
  reject: 'Забракована',
  dispose: 'Утилизирована',
  show: 'Найдена',
}
const readAddress = (search: Search) => ({ step: word(modes, search.step) })
const DRAWN = 12
/** Milliseconds without a scan until the lists are reloaded. */
const PAUSE_MS = 700

/** Runs after the next paint, so that sound and lists do not delay the result. */
const afterPaint = (run: () => void): void => {
  requestAnimationFrame(() => setTimeout(run))
}

/** Removes a scanned tube from the list before the reload. */
function dropWaiting(cache: QueryClient, id: number): void {
  cache.setQueriesData<Answer<'GET /laboratory/samples/waiting'>>({ queryKey: [labKey, 'waiting'] }, (before) => {
    if (!before?.items.some((one) => one.id === id)) return before
    return { items: before.items.filter((one) => one.id !== id), total: before.total - 1 }
  })
}

interface Verdict {
  code: string
  sample?: Scanned
  error?: string
}

/** Пробы: scanning. The field is focused again after each scan. */
export default function SamplesPage() {
  const [{ step = 'take' }, setAddress] = useAddress(readAddress)
  const mayScan = allowed(useActor(), 'takeLabSamples')
  const mode: Mode = mayScan ? step : 'show'
  const cache = useQueryClient()
  const field = useRef<HTMLInputElement>(null)
  const [verdicts, setVerdicts] = useState<readonly Verdict[]>([])
  const [box, setBox] = useState<number | null>(null)
  const [rack, setRack] = useState('')
  const [reason, setReason] = useState<string | null>(null)
  const queue = useRef(Promise.resolve())
  const reading = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(reading.current), [])
  const readSoon = () => {
    clearTimeout(reading.current)
    reading.current = setTimeout(() => void readLaboratory(cache), PAUSE_MS)
  }
  const choose = (wanted: Mode) => {
    setAddress({ step: wanted === 'take' ? undefined : wanted }, { replace: true })
    field.current?.focus()
  }
  const scan = (code: string) => {
    // Scans are queued: a scanner is faster than the network.
    queue.current = queue.current.then(async () => {
      try {
        const sample = await api(
          'POST /laboratory/samples/scan',
          {
            body: {
              code,
              ...(mode !== 'show' && { step: mode }),
              ...(mode === 'pack' && box !== null && { idShipment: box }),
              ...(mode === 'archive' && { rack }),
              ...(mode === 'reject' && reason && { reason: reason as keyof typeof rejectReasons }),
            },
          },
          { forbidden: 'silent' },
        )
        setVerdicts((before) => [{ code, sample }, ...before].slice(0, DRAWN))
        if (mode !== 'show') dropWaiting(cache, sample.id)
        afterPaint(() => {
          beep(true)
          readSoon()
        })
      } catch (error) {
        const byField = error instanceof ApiError ? Object.values(error.byField ?? {})[0] : undefined
        setVerdicts((before) => [{ code, error: byField ?? errorMessage(error) }, ...before].slice(0, DRAWN))
        afterPaint(() => beep(false))
      }
    })
  }
  const [last] = verdicts
  return (
    <>
      <PageHead title={page.title} help={page.help} />
      <div className={classes.body}>
        {mayScan && steps.map((one, at) => <StepKey key={one} at={at} step={one} onChoose={choose} />)}
        <div className={classes.steps} role="toolbar" aria-label="Что делать со сканируемой пробой">
          {[...(mayScan ? steps : []), 'show' as const].map((one, at) => (
            <button
              key={one}
              type="button"
              className={classes.step}
              aria-pressed={mode === one}
              onClick={() => choose(one)}
            >
              {modes[one]}
              {one !== 'show' && <kbd>Alt {at + 1}</kbd>}
            </button>
          ))}
        </div>
        <div className={classes.scan}>
          <VStack gap={12}>
            <form
              onSubmit={(event) => {
                event.preventDefault()
                const input = field.current
                const code = input?.value.trim()
                if (input && code) scan(code)
                if (input) input.value = ''
              }}
            >
              <TextInput
                ref={field}
                size="lg"
                label="Штрихкод пробирки"
                placeholder="Отсканируйте или введите и нажмите Enter"
                autoFocus
                autoComplete="off"
                inputMode="numeric"
                maxLength={64}
                classNames={{ input: classes.barcode }}
              />
            </form>
            {mode === 'pack' && <Boxes chosen={box} onChoose={setBox} />}
            {mode === 'archive' && (
              <TextInput
                label="Штатив"
                w={200}
                maxLength={32}
                placeholder="Ш-1"
                value={rack}
                onChange={(event) => setRack(event.currentTarget.value)}
              />
            )}
            {mode === 'reject' && (
              <Select
                label="Причина брака"
                w={280}
                data={Object.entries(rejectReasons).map(([value, label]) => ({ value, label }))}
                value={reason}
                onChange={(value) => {
                  setReason(value)
                  field.current?.focus()
                }}
              />
            )}
            <VerdictCard verdict={last} word={done[mode]} />
            {verdicts.length > 1 && (
              <section className={classes.panel} aria-label="Отсканировано раньше">
                {verdicts.slice(1).map((one, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a log of what was scanned, newest first
                  <div key={at} className={classes.row}>
                    <HStack gap={8}>
                      {one.error ? (
                        <IconCircleX size={16} color="var(--mantine-color-red-6)" aria-label="Не принято" />
                      ) : (
                        <IconCircleCheck size={16} color="var(--mantine-color-teal-6)" aria-label="Принято" />
                      )}
                      <span className={classes.barcode}>{one.code}</span>
                      <Muted>{one.sample?.patient ?? one.error}</Muted>
                    </HStack>
                    {one.sample && <SampleBadge status={one.sample.status} />}
                  </div>
                ))}
              </section>
            )}
          </VStack>
          <WaitingList
            status={waits[mode]}
            label={mode === 'show' ? 'Ждут взятия' : `Ждут: ${modes[mode].toLowerCase()}`}
          />
        </div>
      </div>
    </>
  )
}

/** Hotkey of a mode, also inside the field. */
function StepKey({ at, step, onChoose }: { at: number; step: Mode; onChoose: (step: Mode) => void }) {
  useHotkey(`alt+${at + 1}`, () => onChoose(step), { label: modes[step], group: page.title, whileTyping: true })
  return null
}

function VerdictCard({ verdict, word: said }: { verdict: Verdict | undefined; word: string }) {
  if (!verdict)
    return (
      <div className={classes.verdict}>
        <Muted>Здесь будет ответ на сканирование: чья пробирка, что в ней и сколько ещё осталось взять.</Muted>
      </div>
    )
  const { sample, error, code } = verdict
  return (
    <div className={classes.verdict} data-tone={error ? 'bad' : 'good'} role="status" aria-live="assertive">
      <span className={classes.verdictWord}>
        {error ? <IconCircleX size={26} aria-hidden /> : <IconCircleCheck size={26} aria-hidden />}
        {error ? 'Не принято' : said}
        <span className={classes.barcode}>{code}</span>
      </span>
      {error && <span>{error}</span>}
      {sample && (
        <>
          <b>
            {sample.patient}
            {sample.birthday && `, ${sample.birthday}`}
          </b>
          <HStack wrap gap="4px 14px">
            <TubeCap cap={sample.cap} name={sample.container ?? biomaterials[sample.biomaterial]} />
            <SampleBadge status={sample.status} />
            <Fine>{temperatures[sample.tempMode]}</Fine>
            {sample.urgency === 'cito' && <b>CITO</b>}
            <Fine>{sample.laboratory}</Fine>
          </HStack>
          <span>{sample.tests}</span>
          <HStack gap={12}>
            <PageLink page="labOrder" params={{ id: sample.idOrder }}>
              Заказ {sample.number}
            </PageLink>
            {sample.left > 0 && <b>Осталось взять: {counted(sample.left, ['пробирка', 'пробирки', 'пробирок'])}</b>}
            {sample.expiresAt && <Fine>годна до {formatDateTime(sample.expiresAt)}</Fine>}
          </HStack>
        </>
      )}
    </div>
  )
}

/** Memoized: a hundred lines are not rendered again for each scan result. */
const WaitingList = memo(function WaitingList({ status, label }: { status: SampleStatus; label: string }) {
  const answer = useQuery({
    queryKey: [labKey, 'waiting', status],
    queryFn: ({ signal }) => api('GET /laboratory/samples/waiting', { query: { status } }, { signal }),
    retry: retries,
    placeholderData: (before) => before,
    meta: { live: laboratoryLive },
  })
  return (
    <section className={classes.panel} aria-label={label}>
      <h2 className={classes.panelTitle}>
        {label} {answer.data && <Muted>{answer.data.total}</Muted>}
      </h2>
      {answer.isPending ? (
        <LinesSkeleton lines={6} />
      ) : answer.isError ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : answer.data.items.length === 0 ? (
        <Muted>Таких проб нет.</Muted>
      ) : (
        <div className={classes.list}>
          {answer.data.items.map((sample) => (
            <div key={sample.id} className={classes.row}>
              <span>
                <span className={classes.barcode}>{sample.barcode}</span> {sample.urgency === 'cito' && <b>CITO</b>}
                <Fine component="div">{sample.patient}</Fine>
              </span>
              <TubeCap cap={sample.cap} name={sample.container ?? biomaterials[sample.biomaterial]} />
            </div>
          ))}
        </div>
      )}
    </section>
  )
})

const asked = recordsWith({ forbidden: 'toast' })

/** Open boxes: choose, create, send. */
function Boxes({ chosen, onChoose }: { chosen: number | null; onChoose: (id: number | null) => void }) {
  const [open, setOpen] = useState<'new' | 'ship'>()
  const list = useList(LabShipment, { filter: { status: 'open' }, expand: ['laboratory'], sort: '-id', limit: 50 })
  const boxes = asRows<Expanded<typeof LabShipment, 'laboratory'>>(list.data?.items)
  const box = boxes.find(({ id }) => id === chosen)
  const first = boxes[0]?.id
  useEffect(() => {
    if (chosen === null && first !== undefined) onChoose(first)
  }, [chosen, first, onChoose])
  const print = async () => {
    try {
      await download(
        apiUrl('GET /laboratory/shipments/:id/act', { params: { id: chosen as number } }),
        `Акт ${box?.number}.pdf`,
      )
    } catch (error) {
      notify.error(errorMessage(error), { title: 'Акт не напечатан' })
    }
  }
  return (
    <HStack wrap gap={8} align="flex-end">
      <Select
        label="Контейнер"
        w={340}
        placeholder={boxes.length ? 'Выберите контейнер' : 'Начните новый'}
        data={boxes.map(({ id, number, laboratory, tempMode, samplesCount }) => ({
          value: String(id),
          label: `${number} · ${laboratory?.name ?? ''} · ${temperatures[tempMode]} · ${samplesCount} шт.`,
        }))}
        value={box ? String(box.id) : null}
        onChange={(value) => onChoose(value === null ? null : Number(value))}
      />
      <ActionButton label="Новый" icon={IconPlus} variant="default" onClick={() => setOpen('new')} />
      {box && <ActionButton label="Акт" icon={IconFileTypePdf} variant="default" onClick={() => void print()} />}
      {box && (
        <ActionButton
          label="Отправить"
          icon={IconTruckDelivery}
          disabled={box.samplesCount === 0}
          onClick={() => setOpen('ship')}
        />
      )}
      {open === 'new' && <NewBoxDialog onMade={onChoose} onClose={() => setOpen(undefined)} />}
      {open === 'ship' && box && (
        <ShipDialog box={box} onDone={() => onChoose(null)} onClose={() => setOpen(undefined)} />
      )}
    </HStack>
  )
}

function NewBoxDialog({ onMade, onClose }: { onMade: (id: number) => void; onClose: () => void }) {
  const cache = useQueryClient()
  const [idLaboratory, setLaboratory] = useState<number | null>(null)
  const [idFilial, setFilial] = useState<number | null>(null)
  const [tempMode, setTemp] = useState<TempMode>('cold')
  return (
    <ActionDialog
      title="Новый контейнер"
      action="Начать"
      faults={{ idLaboratory: !idLaboratory && messages.required, idFilial: !idFilial && messages.required }}
      onClose={onClose}
      run={async () => {
        const made = await asked.create(LabShipment, {
          idLaboratory: idLaboratory as number,
          idFilial: idFilial as number,
          tempMode,
        })
        await invalidateRecords(cache, LabShipment.path)
        onMade(made.id)
      }}
    >
      {(errorOf) => (
        <VStack gap={12}>
          <RefSelect
            to={Laboratory.path}
            label="Куда"
            required
            value={idLaboratory}
            error={errorOf('idLaboratory')}
            onChange={setLaboratory}
          />
          <RefSelect
            to={Filial.path}
            label="Откуда"
            required
            value={idFilial}
            error={errorOf('idFilial')}
            onChange={setFilial}
          />
          <Select
            label="Режим"
            data={Object.entries(temperatures).map(([value, label]) => ({ value, label }))}
            value={tempMode}
            allowDeselect={false}
            onChange={(value) => setTemp(value as TempMode)}
          />
        </VStack>
      )}
    </ActionDialog>
  )
}

function ShipDialog({
  box,
  onDone,
  onClose,
}: {
  box: Expanded<typeof LabShipment, 'laboratory'>
  onDone: () => void
  onClose: () => void
}) {
  const cache = useQueryClient()
  const [temperature, setTemperature] = useState<number | string | null>(null)
  const [courier, setCourier] = useState('')
  const [anyway, setAnyway] = useState(false)
  return (
    <ActionDialog
      title={`Отправка контейнера ${box.number}`}
      action="Отправить"
      faults={{
        temperature: typeof temperature !== 'number' && 'Измерьте температуру',
        courier: !courier.trim() && 'Укажите курьера',
      }}
      onClose={onClose}
      run={async () => {
        try {
          await api(
            'POST /laboratory/shipments/:id/ship',
            {
              params: { id: box.id },
              body: { temperature: temperature as number, courier, ...(anyway && { anyway }) },
            },
            { forbidden: 'toast' },
          )
        } catch (error) {
          if (error instanceof ApiError && error.byField?.temperature) setAnyway(true)
          throw error
        }
        await invalidateRecords(cache, LabShipment.path)
        await readLaboratory(cache)
        onDone()
        notify.success('Контейнер отправлен')
      }}
    >
      {(errorOf) => (
        <VStack gap={12}>
          <span>
            {box.laboratory?.name}, режим {temperatures[box.tempMode]}, проб: {box.samplesCount}
          </span>
          <NumberField
            label="Температура в контейнере"
            required
            unit="°C"
            value={temperature}
            error={errorOf('temperature')}
            onChange={setTemperature}
          />
          <TextInput
            label="Курьер"
            required
            maxLength={128}
            value={courier}
            error={errorOf('courier')}
            onChange={(event) => setCourier(event.currentTarget.value)}
          />
          {anyway && <Muted>Ещё раз «Отправить» — уйдёт с отметкой о температуре.</Muted>}
        </VStack>
      )}
    </ActionDialog>
  )
}
