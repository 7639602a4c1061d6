import react from '@vitejs/plugin-react'
import { type Connect, defineConfig, type Plugin } from 'vite'

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
  // Only forms that check whole settings need it.
  {
    name: 'checks',
    test: /node_modules\/zod\/|packages\/model\/src\/areas\/settings\/(children\/|checks|setting\.|networks|commonSettings)/,
  },
  // What the sign-in page shares with other screens: it must not wait for the rest of theirs.
  {
    name: 'sign-in',
    test: /@mantine\/core\/esm\/(components\/(Alert|Checkbox|Input|InputBase|TextInput|PasswordInput|Text)|utils\/(InlineInput|InputsGroupFieldset))\/|web\/src\/base\/redirect\./,
  },
  { name: 'common', test: (id: string) => !ownArea.test(id) && !editor.test(id), minShareCount: 3 },
  { name: 'editor', test: editor },
  { name: (id: string) => ownArea.exec(id)?.[1], debugName: 'areas', test: ownArea, minShareCount: 2 },
]

export default defineConfig({
  base: '/web/app/',
  // Several development servers side by side need a cache each.
  ...(process.env.VITE_CACHE ? { cacheDir: process.env.VITE_CACHE } : {}),
  plugins: [appAddress(), react()],
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
