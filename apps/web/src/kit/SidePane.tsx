import { Box } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconFolder } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { ActionButton } from './ActionButton.tsx'
import { Drawer } from './Drawer.tsx'
import classes from './SidePane.module.css'

interface Props {
  /** What stands on the left: a tree of groups. On a narrow screen a button opens it. @param close the drawer */
  side: (close: () => void) => ReactNode
  /** Of the drawer. */
  title: string
  /** On the button: what is chosen now. */
  label: string
  children: ReactNode
}

/** A page of two parts: what is chosen on the left, what it holds on the right. */
export function SidePane({ side, title, label, children }: Props) {
  const [drawer, setDrawer] = useState(false)
  const narrow = useMediaQuery('(max-width: 62em)', undefined, { getInitialValueInEffect: false }) ?? false
  const contents = side(() => setDrawer(false))
  return (
    <div className={classes.page}>
      {narrow ? (
        <ActionButton
          label={label}
          variant="default"
          classNames={{ root: classes.opener }}
          icon={IconFolder}
          onClick={() => setDrawer(true)}
        />
      ) : (
        <div className={classes.side}>{contents}</div>
      )}
      <Box miw={0}>{children}</Box>
      <Drawer opened={narrow && drawer} onClose={() => setDrawer(false)} title={title} size={320}>
        {contents}
      </Drawer>
    </div>
  )
}
