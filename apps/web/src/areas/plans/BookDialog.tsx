import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { type ItemRow, leftOf } from './plan.ts'

interface Props {
  items: readonly ItemRow[]
  onChosen: (chosen: { item: ItemRow; qty: number }[]) => void
  onClose: () => void
}

/** Services of a stage for one visit, with quantities. */
export function BookDialog({ items, onChosen, onClose }: Props) {
  const [wanted, setWanted] = useState<Record<number, number | string | null>>(() =>
    Object.fromEntries(items.map(({ id }) => [id, 1])),
  )
  const chosen = items.flatMap((item) => {
    const qty = wanted[item.id]
    return typeof qty === 'number' && qty > 0 ? [{ item, qty }] : []
  })
  const wrong = items.find((item) => {
    const qty = wanted[item.id]
    return qty !== undefined && !(typeof qty === 'number' && Number.isInteger(qty) && qty >= 1 && qty <= leftOf(item))
  })
  return (
    <ActionDialog
      title="Что записать на один визит"
      action="Выбрать время"
      faults={{
        items: chosen.length === 0 && !wrong && 'Отметьте хотя бы одну услугу',
        qty: wrong && `Можно записать от 1 до ${leftOf(wrong)}: ${wrong.service?.nameService ?? ''}`,
      }}
      onClose={onClose}
      run={() => onChosen(chosen)}
    >
      {items.length === 0 ? (
        <Muted component="p">Всё уже записано или выполнено</Muted>
      ) : (
        <VStack component="ul" gap={8}>
          {items.map((item) => {
            const name = item.service?.nameService ?? 'Услуга удалена'
            const isOn = wanted[item.id] !== undefined
            return (
              <HStack key={item.id} component="li" gap={12}>
                <Block grow miw={0} className="breaks">
                  <Checkbox
                    label={name}
                    checked={isOn}
                    onChange={(event) => {
                      const { [item.id]: _, ...rest } = wanted
                      setWanted(event.currentTarget.checked ? { ...wanted, [item.id]: 1 } : rest)
                    }}
                  />
                </Block>
                {leftOf(item) > 1 && isOn && (
                  <HStack gap={6}>
                    <NumberField
                      aria-label={`Сколько: ${name}`}
                      size="sm"
                      w={64}
                      value={wanted[item.id]}
                      onChange={(qty) => setWanted({ ...wanted, [item.id]: qty })}
                    />
                    <Fine>из {leftOf(item)}</Fine>
                  </HStack>
                )}
              </HStack>
            )
          })}
        </VStack>
      )}
    </ActionDialog>
  )
}
