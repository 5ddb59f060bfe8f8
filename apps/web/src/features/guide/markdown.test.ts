import { expect, test } from 'vitest'
import { readGuide } from './markdown.ts'

test('a page has a title, text in its order and pictures between', () => {
  const { title, blocks } = readGuide(`# Un titre

L'**eau** : un **mot** fort,
[un lien](/analyse) et \`radx --a\`.

![Ce qu'on
voit](images/une.webp)

## Suite

1. Un
2. deux
   et demi

- a
- b < c & "d"
`)
  expect(title).toBe('Un titre')
  expect(blocks).toEqual([
    {
      kind: 'html',
      html: '<p>L’<strong>eau</strong>\u00a0: un <strong>mot</strong> fort, <a href="/analyse">un lien</a> et <code>radx --a</code>.</p>',
    },
    { kind: 'picture', text: 'Ce qu’on voit', path: 'images/une.webp' },
    {
      kind: 'html',
      html: '<h2>Suite</h2><ol><li>Un</li><li>deux et demi</li></ol><ul><li>a</li><li>b &lt; c &amp; &quot;d&quot;</li></ul>',
    },
  ])
})

test('code keeps its marks, tags are shown and not obeyed', () => {
  expect(readGuide('# T\n\n`**a** <b>` <script>').blocks).toEqual([
    { kind: 'html', html: '<p><code>**a** &lt;b&gt;</code> &lt;script&gt;</p>' },
  ])
  expect(() => readGuide('Sans titre')).toThrow('title')
})
