import { DONE, LOSS } from '@ordinator/model/areas/sales/funnel'
import { Lead } from '@ordinator/model/areas/sales/lead'
import { ACCEPTED, IN_PROCESS, Offer, OfferService } from '@ordinator/model/areas/sales/offer'
import type { MovePlace } from '@ordinator/model/client'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '#base/apiError.ts'
import { recordsWith } from '#base/client.ts'
import { notify } from '#kit/notify.tsx'
import { useAsk } from '#kit/useAsk.ts'
import { notifyBoardFailure } from '#records/board/cardStore.ts'
import { invalidateRecords } from '#records/keys.ts'
import { LossDialog } from './LossDialog.tsx'
import { MissingDialog } from './MissingDialog.tsx'
import type { LeadRow, Offered, StageRow, WithMove } from './stageMove.ts'
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
    let accepted: readonly number[] = []
    const before = await quiet
      .view(Lead, lead.id, { fields: ['id', 'title', 'idStage', 'price', 'isPriceByHand'] })
      .catch(() => undefined)
    if (stage.idType === DONE) {
      const found = await offeredOf(lead.id)
      const won = await ask<{ more: WithMove; accept: boolean }>((answer) => (
        <WinDialog lead={{ price: null, ...lead, ...before }} stage={stage} offered={found} onAnswer={answer} />
      ))
      if (!won) return undefined
      more = won.more
      if (won.accept) accepted = found.ids
    }
    if (stage.idType === LOSS) {
      const loss = await ask<WithMove>((answer) => <LossDialog lead={lead} stage={stage} onAnswer={answer} />)
      if (!loss) return undefined
      more = loss
    }
    for (;;) {
      try {
        await setStage(accepted, ACCEPTED)
        const row = await put(lead.id, stage.id, more, place)
        await invalidateRecords(cache, Lead.path)
        if (accepted.length > 0) for (const { path } of [Offer, OfferService]) void invalidateRecords(cache, path)
        const from = before?.idStage
        if (from && from !== stage.id)
          notify.undo(`«${lead.title}»: ${stage.name}`, async () => {
            try {
              await setStage(accepted, IN_PROCESS)
              await quiet.update(Lead, lead.id, { idStage: from, ...('price' in more && { price: before.price }) })
            } catch (error) {
              notifyBoardFailure(error)
            }
            for (const { path } of [Lead, Offer, OfferService]) await invalidateRecords(cache, path)
          })
        return row
      } catch (error) {
        const missing = error instanceof ApiError && error.status === 422 ? (error.fields ?? []) : []
        if (missing.length === 0 || missing.some(({ field }) => field === 'idStage' || field === 'order')) {
          notifyBoardFailure(error)
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

/** Page limit of the engine for what one deal offers. */
const MAX_OFFERED = 200

/** Services of the deal's offers that are neither accepted nor refused. */
async function offeredOf(idLead: number): Promise<Offered> {
  const query = { filter: { 'offer.idLead': idLead, idStatus: IN_PROCESS }, limit: MAX_OFFERED }
  const { items } = await quiet.list(OfferService, query).catch(() => ({ items: [] }))
  const kopecks = items.reduce((sum, { total }) => sum + Math.round(total * 100), 0)
  return { ids: items.map(({ id }) => id), sum: kopecks / 100 }
}

const setStage = async (ids: readonly number[], idStatus: number): Promise<void> => {
  if (ids.length > 0) await quiet.batch(OfferService, { update: ids.map((id) => ({ id, idStatus })) })
}

/** Without further fields a plain move; otherwise writes fields and stage together, then the position. */
async function put(id: number, idStage: number, more: WithMove, place: Omit<MovePlace, 'to'> | undefined) {
  if (Object.keys(more).length === 0 && place) return quiet.move(Lead, id, { ...place, to: { idStage } })
  const row = await quiet.update(Lead, id, { ...more, idStage })
  return place && place.at !== 'first' ? quiet.move(Lead, id, place) : row
}
