import { Input, Skeleton } from '@mantine/core'
import { part } from '../../base/chunk.ts'

/** The editor of rich texts. It is large, and comes with the first field that is written in. */
export const RichTextEditor = part(
  () => import('./RichTextEditor.tsx'),
  ({ label, description, required, compact }) => (
    <Input.Wrapper label={compact ? undefined : label} description={description} withAsterisk={required}>
      <Skeleton height={compact ? 80 : 160} />
    </Input.Wrapper>
  ),
)
