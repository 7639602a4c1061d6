import { Input, Skeleton } from '@mantine/core'
import { part } from '#kit/chunk.ts'

/** The rich text editor: large, so it is loaded with the first field that needs it. */
export const RichTextEditor = part(
  () => import('./RichTextEditor.tsx'),
  ({ label, description, required, compact }) => (
    <Input.Wrapper label={compact ? undefined : label} description={description} withAsterisk={required}>
      <Skeleton height={compact ? 80 : 160} />
    </Input.Wrapper>
  ),
)
