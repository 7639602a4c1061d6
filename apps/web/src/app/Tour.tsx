import { Button, Text } from '@mantine/core'
import { tour } from '@ordinator/model/pageHelp'
import { useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { Dialog } from '#kit/Dialog.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'

/** The product tour: a few things to know, one after another. */
export default function Tour({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [at, setAt] = useState(0)
  const step = tour[at]
  const isLast = at === tour.length - 1
  const close = () => {
    onClose()
    setAt(0)
  }
  if (!step) return null
  return (
    <Dialog opened={opened} onClose={close} title={step.title} size={480}>
      <Text mih={72} aria-live="polite">
        {step.text}
      </Text>
      <HStack justify="space-between" mt={16}>
        <Fine className="tabular">
          {at + 1} из {tour.length}
        </Fine>
        <HStack>
          {at > 0 && <ActionButton label="Назад" variant="default" onClick={() => setAt(at - 1)} />}
          <Button data-autofocus onClick={() => (isLast ? close() : setAt(at + 1))}>
            {isLast ? 'Готово' : 'Далее'}
          </Button>
        </HStack>
      </HStack>
    </Dialog>
  )
}
