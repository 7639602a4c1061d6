import type { Plugin } from 'vite'

/** Components of Mantine whose styles come with the modules that use them, each with its sheets; theme.css has the others. */
const sheets: Readonly<Record<string, readonly string[]>> = {
  Chip: ['Chip'],
  ColorSwatch: ['ColorSwatch'],
  Drawer: ['Drawer'],
  List: ['List'],
  NumberInput: ['NumberInput'],
  Pagination: ['Pagination'],
  Progress: ['Progress'],
  Radio: ['Radio'],
  SegmentedControl: ['FloatingIndicator', 'SegmentedControl'],
  Slider: ['Slider'],
  Switch: ['Switch'],
  Table: ['Table'],
  Tabs: ['Tabs'],
  Timeline: ['Timeline'],
}

const base = /web\/src\/theme\.css$/
const sheet = /@mantine\/core\/styles\//
const fromMantine = /^import \{([^}]*)\} from '@mantine\/core'/gm

/**
 * Adds the sheets of the components that a module imports by name. They build on those of theme.css and come after them:
 * a build that puts both into one file, in whatever order, fails.
 */
export function mantineStyles(): Plugin {
  return {
    name: 'ordinator:mantine-styles',
    enforce: 'pre',
    transform: {
      filter: { id: /web\/src\/.*\.tsx$/, code: '@mantine/core' },
      handler(code) {
        const names = [...code.matchAll(fromMantine)].flatMap(([, list = '']) => list.split(','))
        const wanted = new Set(names.flatMap((name) => sheets[name.trim().split(' ')[0] ?? ''] ?? []))
        // On the first line, so that the lines keep their numbers.
        const added = [...wanted].map((name) => `import '@mantine/core/styles/${name}.layer.css';`).join('')
        return added === '' ? undefined : { code: added + code, map: null }
      },
    },
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const ids = chunks.map(({ modules }) => Object.keys(modules)).find((all) => all.some((id) => base.test(id)))
      const beside = ids?.filter((id) => sheet.test(id)) ?? []
      if (beside.length > 0) this.error(`Styles beside theme.css, to be listed there: ${beside.join(', ')}`)
    },
  }
}
