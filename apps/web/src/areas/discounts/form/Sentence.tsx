import { Alert } from '@mantine/core'
import { IconDiscount } from '@tabler/icons-react'

/** Summary sentence of a discount. */
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
