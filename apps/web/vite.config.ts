import react from '@vitejs/plugin-react'
import { type Connect, defineConfig, type Plugin } from 'vite'
import { briefs } from './briefs.ts'
import { shellSizes } from './shellSizes.ts'

const api = process.env.API ?? 'http://localhost:8080'

/** The app lives at /app and its assets at /web/app/; the server does this in production, this in development. */
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

const charts =
  /node_modules\/(recharts|@mantine\/charts|d3-[\w-]+|victory-vendor|@reduxjs|redux|redux-thunk|react-redux|reselect|immer|es-toolkit|decimal\.js-light|internmap)\//
/** Modules of the model that import every area. */
const listOfAll = /packages\/model\/src\/(entities|reports|pageHelp|settings)\.ts/
const isCommon = (id: string) => ![ownArea, declaredArea, listOfAll, editor, charts].some((own) => own.test(id))

/**
 * Layers of script, the first match wins. Left to itself the bundler makes a file for each set of screens that share a
 * module, and a board then asks for a hundred tiny ones: a file costs an opening more than what it holds. No area is
 * named: what two screens of one share makes that area's own file.
 *
 * A layer takes along all that its modules import and no layer above it has. So what most screens share stands above
 * what few need, and the text editor, which comes with a field that is written in, must not be among what is counted.
 */
const layers = [
  { name: 'shell', tags: ['$initial' as const] },
  // What the sign-in page shares with other screens: it must not wait for the rest of theirs.
  {
    name: 'sign-in',
    test: /@mantine\/core\/esm\/(components\/(Alert|Checkbox|Input|InputBase|TextInput|PasswordInput|Text)|utils\/(InlineInput|InputsGroupFieldset))\/|web\/src\/base\/redirect\./,
  },
  // What the model's areas share; the lists of all of one kind bring the areas along and stay with whoever asks for them.
  { name: 'model', test: (id: string) => /packages\/model\/src\/(?!areas\/)/.test(id) && !listOfAll.test(id) },
  { name: 'common', test: isCommon, minShareCount: 3 },
  // Only forms that check whole settings need it.
  {
    name: 'checks',
    test: /node_modules\/zod\/|packages\/model\/src\/areas\/settings\/(children\/|checks|setting\.|networks|commonSettings)/,
  },
  // Only reports and the dashboard draw.
  { name: 'charts', test: charts },
  { name: (id: string) => `declarations-${declaredArea.exec(id)?.[1]}`, debugName: 'declarations', test: declaredArea },
  { name: 'editor', test: editor },
  { name: (id: string) => ownArea.exec(id)?.[1], debugName: 'areas', test: ownArea, minShareCount: 2 },
]

export default defineConfig({
  base: '/web/app/',
  // Several development servers side by side need a cache each.
  ...(process.env.VITE_CACHE ? { cacheDir: process.env.VITE_CACHE } : {}),
  plugins: [appAddress(), briefs(), shellSizes(), react()],
  server: { proxy },
  preview: { proxy },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // The first with light-dark(): an older target turns it into variables that nothing sets.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: { codeSplitting: { groups: layers.map((layer, i) => ({ ...layer, priority: layers.length - i })) } },
    },
  },
})
