import { biomaterials, temperatures } from '@ordinator/model/areas/laboratory/words'
import { counted } from '@ordinator/model/format'
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { PageLink } from '#base/PageLink.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { useHotkey } from '#kit/hotkeys.ts'
import { HStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import sharedClasses from '../Laboratory.module.css'
import { SampleBadge, TubeCap } from '../words.tsx'
import classes from './samples.module.css'
import { type Mode, modes, page, type Verdict } from './steps.ts'

/** Hotkey of a mode, also inside the field. */
export function StepKey({ at, step, onChoose }: { at: number; step: Mode; onChoose: (step: Mode) => void }) {
  useHotkey(`alt+${at + 1}`, () => onChoose(step), { label: modes[step], group: page.title, whileTyping: true })
  return null
}

export function VerdictCard({ verdict, word: phrase }: { verdict: Verdict | undefined; word: string }) {
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
        {error ? 'Не принято' : phrase}
        <span className={sharedClasses.barcode}>{code}</span>
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
