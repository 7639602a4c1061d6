import { Tooltip } from '@mantine/core'
import { Stage } from '@ordinator/model/areas/sales/funnel'
import { mayGo } from '@ordinator/model/areas/sales/rules'
import type { Row } from '@ordinator/model/entity'
import { useState } from 'react'
import { useList } from '#records/reads.ts'
import classes from './StageBar.module.css'

/** Spec §2: pixels, milliseconds. */
const HEIGHT = 10
const DELAY_MS = 100

type StageRow = Row<typeof Stage>

interface Props {
  idFunnel: number
  /** Current stage; null: none yet. */
  idStage: number | null
  disabled?: boolean
  onMove: (stage: StageRow) => void
}

/** Stages of a funnel in order, filled up to the current one. A click moves the deal. */
export function StageBar({ idFunnel, idStage, disabled, onMove }: Props) {
  const list = useList(Stage, { filter: { idFunnel }, sort: 'order', limit: 200 }, { forbidden: 'silent' })
  const stages = list.data?.items ?? []
  const at = stages.findIndex(({ id }) => id === idStage)
  const now = stages[at]
  const [aimedAt, setAimed] = useState<number>()
  const aimed = stages.find(({ id }) => id === aimedAt && id !== idStage)
  return (
    <div className={classes.frame}>
      <div className={classes.stages}>
        <fieldset className={classes.bar} style={{ height: HEIGHT }} aria-label="Этапы сделки">
          {stages.map((stage, place) => {
            const allowed = !disabled && stage.id !== idStage && (!now || mayGo(now.nextStages, stage.id))
            return (
              <Tooltip
                key={stage.id}
                label={stage.name}
                openDelay={DELAY_MS}
                events={{ hover: true, focus: true, touch: true }}
              >
                <button
                  type="button"
                  className={classes.stage}
                  data-active={place <= at || undefined}
                  aria-current={stage.id === idStage ? 'step' : undefined}
                  aria-label={stage.id === idStage ? `${stage.name}, сейчас` : `Перевести на этап «${stage.name}»`}
                  aria-disabled={!allowed || undefined}
                  style={{ '--stage': now?.color ?? stage.color } as React.CSSProperties}
                  onClick={() => allowed && onMove(stage)}
                  onPointerEnter={() => setAimed(stage.id)}
                  onPointerLeave={() => setAimed(undefined)}
                  onFocus={() => setAimed(stage.id)}
                  onBlur={() => setAimed(undefined)}
                  data-aimed={(allowed && stage.id === aimedAt) || undefined}
                />
              </Tooltip>
            )
          })}
        </fieldset>
        <div className={classes.names} aria-hidden>
          {stages.map((stage, place) => (
            <span key={stage.id} className={classes.name} data-now={place === at || undefined}>
              {stage.name}
            </span>
          ))}
        </div>
      </div>
      <span className={classes.words} data-aimed={aimed ? true : undefined}>
        {aimed ? `→ ${aimed.name}` : now ? now.name : 'Не начато'}
      </span>
    </div>
  )
}
