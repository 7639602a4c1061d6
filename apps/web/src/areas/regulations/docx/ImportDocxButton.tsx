import { Box, Button } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { useState } from 'react'
import type { FormToolProps } from './FormToolProps.ts'
import { ImportDocx } from './ImportDocx.tsx'

/** Fills the form from a Word document. */
export function ImportDocxButton(props: FormToolProps) {
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Button
        size="compact-md"
        variant="default"
        aria-label="Импорт из DOCX"
        leftSection={<IconFileImport size={16} />}
        onClick={() => setOpened(true)}
      >
        <Box component="span" visibleFrom="sm">
          Импорт&nbsp;
        </Box>
        из DOCX
      </Button>
      {opened && <ImportDocx {...props} onClose={() => setOpened(false)} />}
    </>
  )
}
