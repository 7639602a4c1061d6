import { TextInput } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { CopyButton } from './CopyButton.tsx'
import { IconButton } from './IconButton.tsx'

/** A text to copy: an address, a secret. */
export function CopyField({ label, value }: { label: string; value: string }) {
  return (
    <TextInput
      size="xs"
      mt={8}
      label={label}
      value={value}
      readOnly
      onFocus={(event) => event.currentTarget.select()}
      rightSectionPointerEvents="all"
      rightSection={
        <CopyButton value={value}>
          {({ copied, copy }) => (
            <IconButton icon={copied ? IconCheck : IconCopy} label={`Скопировать: ${label}`} onClick={copy} />
          )}
        </CopyButton>
      }
    />
  )
}
