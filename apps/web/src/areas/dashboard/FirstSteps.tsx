import { Text } from '@mantine/core'
import { usePreference } from '#base/preferences.ts'
import { openTour } from '#base/tour.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { Block, HStack } from '#kit/Stacks.tsx'

interface Seen {
  seen: boolean
}
const read = (stored: unknown): Seen => ({ seen: (stored as Partial<Seen> | null)?.seen === true })

export const useTour = () => usePreference('tour', read, 'account')

/** Offers the tour to new users, until taken or declined. */
export function FirstSteps() {
  const [{ seen }, keep] = useTour()
  if (seen) return null
  return (
    <Block component="section" framed mx="var(--ord-page)" mb={16} px={16} py={12} maw={1448} aria-label="Первые шаги">
      <HStack gap="8px 16px" wrap justify="space-between">
        <Text span inherit>
          Впервые здесь? За минуту покажем, где что находится и как всё найти.
        </Text>
        <HStack>
          <ActionButton
            label="Показать"
            onClick={() => {
              keep({ seen: true })
              openTour()
            }}
          />
          <ActionButton label="Не нужно" variant="subtle" color="gray" onClick={() => keep({ seen: true })} />
        </HStack>
      </HStack>
    </Block>
  )
}
