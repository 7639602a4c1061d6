import { DONE, LOSS } from '@ordinator/model/areas/sales/funnel'
import { Lead } from '@ordinator/model/areas/sales/lead'
import type { MovePlace } from '@ordinator/model/client'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '#base/apiError.ts'
import { recordsWith } from '#base/client.ts'
import { notify } from '#kit/notify.tsx'
import { useAsk } from '#kit/useAsk.ts'
import { refused } from '#records/board/cardStore.ts'
import { invalidateRecords } from '#records/keys.ts'
import { LossDialog } from './LossDialog.tsx'
import { MissingDialog } from './MissingDialog.tsx'
import type { LeadRow, StageRow, WithMove } from './stageMove.ts'
import { WinDialog } from './WinDialog.tsx'

/**
 * Moves deals between stages by the rules of spec §4, with the dialogs a move may need; the screen renders `dialog`.
 * `move` returns the moved deal; undefined if it was refused (with a message) or cancelled: the caller then puts the
 * card back.
 */
export function useStageMove(): {
  move: (
    lead: Pick<LeadRow, 'id' | 'title'>,
    stage: StageRow,
    /** Position in the stage; default: first. */
    place?: Omit<MovePlace, 'to'>,
  ) => Promise<LeadRow | undefined>
  dialog: ReactNode
} {
  const cache = useQueryClient()
  const { ask, dialog } = useAsk()

  async function move(
    lead: Pick<LeadRow, 'id' | 'title'>,
    stage: StageRow,
    place?: Omit<MovePlace, 'to'>,
  ): Promise<LeadRow | undefined> {
    let more: WithMove = {}
    const before = await quiet
      .view(Lead, lead.id, { fields: ['id', 'title', 'idStage', 'price'] })
      .catch(() => undefined)
    if (stage.idType === DONE) {
      const won = await ask<WithMove>((answer) => (
        <WinDialog lead={{ price: null, ...lead, ...before }} stage={stage} onAnswer={answer} />
      ))
      if (!won) return undefined
      more = won
    }
    if (stage.idType === LOSS) {
      const loss = await ask<WithMove>((answer) => <LossDialog lead={lead} stage={stage} onAnswer={answer} />)
      if (!loss) return undefined
      more = loss
    }
    for (;;) {
      try {
        const row = await put(lead.id, stage.id, more, place)
        await invalidateRecords(cache, Lead.path)
        const from = before?.idStage
        if (from && from !== stage.id)
          notify.undo(`«${lead.title}»: ${stage.name}`, async () => {
            try {
              await quiet.update(Lead, lead.id, { idStage: from, ...('price' in more && { price: before.price }) })
            } catch (error) {
              refused(error)
            }
            await invalidateRecords(cache, Lead.path)
          })
        return row
      } catch (error) {
        const missing = error instanceof ApiError && error.status === 422 ? (error.fields ?? []) : []
        if (missing.length === 0 || missing.some(({ field }) => field === 'idStage' || field === 'order')) {
          refused(error)
          return undefined
        }
        const filled = await ask<WithMove>((answer) => (
          <MissingDialog lead={lead} stage={stage} missing={missing} onAnswer={answer} />
        ))
        if (!filled) return undefined
        more = { ...more, ...filled }
      }
    }
  }

  return { move, dialog }
}

const quiet = recordsWith({ forbidden: 'toast' })

/** Without further fields a plain move; otherwise writes fields and stage together, then the position. */
async function put(id: number, idStage: number, more: WithMove, place: Omit<MovePlace, 'to'> | undefined) {
  if (Object.keys(more).length === 0 && place) return quiet.move(Lead, id, { ...place, to: { idStage } })
  const row = await quiet.update(Lead, id, { ...more, idStage })
  return place && place.at !== 'first' ? quiet.move(Lead, id, place) : row
}
