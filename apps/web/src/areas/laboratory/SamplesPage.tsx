import { Select, TextInput } from '@mantine/core'
import { allowed } from '@ordinator/model/access'
import { rejectReasons } from '@ordinator/model/areas/laboratory/states'
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useAddress } from '#base/address.ts'
import { word } from '#base/addressValues.ts'
import { type Answer, api } from '#base/api.ts'
import { ApiError, errorMessage } from '#base/apiError.ts'
import type { Search } from '#base/redirect.ts'
import { useActor } from '#base/session.ts'
import { PageHead } from '#kit/PageHead.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { beep } from './beep.ts'
import sharedClasses from './Laboratory.module.css'
import { labKey, readLaboratory } from './reads.ts'
import { Boxes } from './samples/Boxes.tsx'
import classes from './samples/samples.module.css'
import { done, type Mode, modes, page, steps, type Verdict, waits } from './samples/steps.ts'
import { StepKey, VerdictCard } from './samples/VerdictCard.tsx'
import { DRAWN, WaitingList } from './samples/WaitingList.tsx'
import { SampleBadge } from './words.tsx'

const readAddress = (search: Search) => ({ step: word(modes, search.step) })

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
      <div className={sharedClasses.body}>
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
                classNames={{ input: sharedClasses.barcode }}
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
              <section className={sharedClasses.panel} aria-label="Отсканировано раньше">
                {verdicts.slice(1).map((one, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a log of what was scanned, newest first
                  <div key={at} className={classes.row}>
                    <HStack gap={8}>
                      {one.error ? (
                        <IconCircleX size={16} color="var(--mantine-color-red-6)" aria-label="Не принято" />
                      ) : (
                        <IconCircleCheck size={16} color="var(--mantine-color-teal-6)" aria-label="Принято" />
                      )}
                      <span className={sharedClasses.barcode}>{one.code}</span>
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
