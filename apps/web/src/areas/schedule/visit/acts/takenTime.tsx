import { ActionButton } from '#kit/ActionButton.tsx'
import { notify } from '#kit/notify.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { type RefusedTime, slotText } from '../../slots.ts'
import { type MoveOptions, placeOfSlot, type VisitPlace } from './acted.ts'

interface TakenTimeOptions {
  /** Identifies the toast. */
  id: string
  refused: RefusedTime
  from: Pick<VisitPlace, 'idUser' | 'idRoom'>
  place: VisitPlace
  mayOverbook: boolean
  put: (place: VisitPlace, forced?: MoveOptions['forced']) => void
}

/** Toast of a refused time with alternatives, and overbooking by right. */
export function showTakenTime({ id, refused, from, place, mayOverbook, put }: TakenTimeOptions): void {
  const again: typeof put = (next, forced) => {
    notify.hide(id)
    put(next, forced)
  }
  notify.error(
    <VStack gap={6}>
      <span>{refused.message}</span>
      <HStack wrap gap={6}>
        {refused.alternatives.map((slot) => (
          <ActionButton
            key={slotText(slot)}
            label={slotText(slot)}
            size="compact-sm"
            variant="light"
            onClick={() => again(placeOfSlot(slot, place.minutes, from))}
          />
        ))}
        {mayOverbook && (
          <ActionButton
            label={refused.code === 'taken' ? 'Поставить сверх' : 'Поставить вне смены'}
            size="compact-sm"
            variant="default"
            onClick={() => again(place, refused.code === 'taken' ? { overbook: true } : { outside: true })}
          />
        )}
      </HStack>
    </VStack>,
    { title: 'Время занято', timeout: 10_000, id },
  )
}
