import { Alert } from '@mantine/core'
import { IconDiscount } from '@tabler/icons-react'

/** What a discount does, as it would be said to a patient. */
export const Sentence = ({ text, empty }: { text: string; empty?: string }) => (
  <Alert
    color={text ? 'teal' : 'gray'}
    variant="light"
    icon={<IconDiscount size={20} aria-hidden />}
    aria-label="Что делает скидка"
    role="note"
  >
    {text || empty}
  </Alert>
)
