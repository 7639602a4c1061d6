import { IconSparkles } from '@tabler/icons-react'
import { HStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'

/** Marks a part drafted by a language model and accepted by the doctor. */
export const AssistedMark = () => (
  <HStack component="span" display="inline-flex" gap={4} mt={4}>
    <IconSparkles size={14} color="var(--mantine-color-grape-6)" aria-hidden />
    <Fine>Сформировано ИИ</Fine>
  </HStack>
)
