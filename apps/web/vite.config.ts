import { readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { type Connect, defineConfig, type Plugin } from 'vite'
import { briefs } from './briefs.ts'
import { cryptoPro } from './cryptoPro.ts'
import { guide } from './guide.ts'
import { mantineStyles } from './mantineStyles.ts'
import { noWarnings } from './noWarnings.ts'
import { reports } from './reports.ts'
import { shellSizes } from './shellSizes.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

const api = process.env.API ?? 'http://localhost:8080'

/** The app is at /app and its assets at /web/app/; the server does this in production, this in development. */
function appAddress(): Plugin {
  const rewrite: Connect.NextHandleFunction = (request, _response, next) => {
    if (/^\/(app([/?].*)?)?$/.test(request.url ?? '')) request.url = '/web/app/index.html'
    next()
  }
  return {
    name: 'ordinator:app-address',
    configureServer: (server) => void server.middlewares.use(rewrite),
    configurePreviewServer: (server) => void server.middlewares.use(rewrite),
  }
}

const proxy = {
  '^/(?!web/app/|app(/|$|\\?)|$)': { target: api, ws: true, changeOrigin: false },
}

const editor = /node_modules\/(@tiptap|prosemirror-)/
const ownArea = /web\/src\/areas\/([^/]+)\//
const declaredArea = /packages\/model\/src\/areas\/([^/]+)\//

const zod = /node_modules\/zod\//
/** The calendar of date fields. */
const calendar = /node_modules\/(@mantine\/dates|dayjs)\/|web\/src\/kit\/DayPicker\./
const charts =
  /node_modules\/(recharts|@mantine\/charts|d3-[\w-]+|victory-vendor|@reduxjs|redux|redux-thunk|react-redux|reselect|immer|es-toolkit|decimal\.js-light|internmap)\//
/** Cards and rows that are dragged. */
const dragging = /node_modules\/(@atlaskit\/pragmatic-drag-and-drop[\w-]*|bind-event-listener|raf-schd)\//
/** State of a form that is being filled in. */
const forms = /node_modules\/react-hook-form\//
/** Modules of the model that import all areas. */
const listOfAll = /packages\/model\/src\/(entities|guide|reports|settings)\.ts/
const isCommon = (id: string) =>
  ![ownArea, declaredArea, listOfAll, editor, charts, calendar, zod, dragging, forms].some((own) => own.test(id))

/**
 * Chunks of the script; the first match applies. By default the bundler makes a file for each set of screens that share a
 * module, and a board would request a hundred tiny ones: on a page load a file costs more than its content. No area is
 * named: modules shared by screens of one area become that area's file.
 *
 * A chunk includes everything its modules import that no earlier chunk has. So widely shared modules come before those
 * needed by few, and the text editor, which is loaded with a field that needs it, must not be counted.
 */
const byUse = { entriesAware: true }
const layers = [
  { name: 'entry', tags: ['$initial' as const] },
  // Each of these with everything it imports, so that a page loads those it needs and no other: the sign-in page; what every
  // page behind it has; what most pages read records with; live changes; a list of records; a form.
  { name: 'ground', test: /web\/src\/app\/(rendered|SignInForm|CrashBoundary)\.tsx$|web\/src\/base\/redirect\./ },
  { name: 'app', test: /web\/src\/app\/router\.tsx$/ },
  {
    name: 'reads',
    test: /web\/src\/(records\/(reads|Can)\.tsx?|kit\/(PageHead|Stacks|ErrorState|EmptyState|Skeletons|WidgetCard|Words|Dialog)\.tsx)$/,
  },
  { name: 'realtime', test: /web\/src\/realtime\// },
  // Few bytes each: those of at least three pages in one file, as a request costs more than all of them.
  { name: 'icons', test: /node_modules\/@tabler\/icons-react\//, minShareCount: 3 },
  { name: 'common', test: isCommon, minShareCount: 100 },
  // Filters of a list above it, without the list: screens of cards have them too.
  { name: 'filters', test: /web\/src\/records\/filters\/(FilterBar|filters|ref)\.tsx?$/ },
  { name: 'filterKinds', test: /web\/src\/records\/filters\/(choice|period|range|search|words)\.tsx?$/ },
  { name: 'list', test: /web\/src\/records\/RegistryPage\.tsx$/ },
  // What many pages share, in one file each; what fewer share goes by the sets of pages that use it, without merging small
  // sets into larger ones: a page would load what it has no use for. The counts are those with the fewest bytes and requests
  // of the dashboard together. Modules of the model that list all areas stay with their importers.
  {
    name: 'model',
    test: (id: string) => /packages\/model\/src\/(?!areas\/)/.test(id) && !listOfAll.test(id),
    minShareCount: 12,
  },
  // Loaded beside every page (`Frame`).
  { name: 'later', test: /web\/src\/kit\/(Toasts|OpenedDialog|DrawnIcon)\.tsx$/ },
  { name: 'around', test: /web\/src\/app\/around\.ts$/ },
  // Libraries of a page's work and not of its look: what shares them would draw them into every page.
  { name: 'drag', test: dragging },
  { name: 'forms', test: forms },
  { name: 'checks', test: zod },
  {
    name: (id: string) => `declarations-${declaredArea.exec(id)?.[1]}`,
    debugName: 'declarations',
    test: declaredArea,
    ...byUse,
  },
  // Needed only by reports and the dashboard.
  { name: 'charts', test: charts },
  // The calendar of date fields, loaded with the first one that is opened.
  { name: 'calendar', test: calendar },
  { name: 'editor', test: editor },
  { name: (id: string) => ownArea.exec(id)?.[1], debugName: 'areas', test: ownArea, minShareCount: 2, ...byUse },
]

/** A shared file is named by its hash alone: the script that every page loads names each of a thousand files. */
const shortName = (name: string): string => (name.includes('~') ? 's' : name.replace(/\.\w+$/, ''))

export default defineConfig({
  base: '/web/app/',
  // Several development servers side by side need separate caches.
  ...(process.env.VITE_CACHE ? { cacheDir: process.env.VITE_CACHE } : {}),
  plugins: [
    appAddress(),
    briefs(),
    guide(),
    reports(),
    cryptoPro(),
    mantineStyles(),
    shellSizes(),
    noWarnings(),
    react(),
  ],
  // The tab compares it with what the server says (base/newVersion.ts).
  define: { __VERSION__: JSON.stringify(version) },
  optimizeDeps: { rolldownOptions: { plugins: [cryptoPro()] } },
  server: { proxy },
  preview: { proxy },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // The first versions with light-dark(): older targets would replace it by variables that nothing sets.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        chunkFileNames: ({ name }) => `assets/${shortName(name)}-[hash:7].js`,
        assetFileNames: ({ names }) => `assets/${shortName(names[0] ?? '')}-[hash:7][extname]`,
        codeSplitting: { groups: layers.map((layer, i) => ({ ...layer, priority: layers.length - i })) },
        // No wrapper around each module, which costs a tenth of the script: no two files import each other (shellSizes.ts).
        strictExecutionOrder: false,
      },
    },
  },
})
