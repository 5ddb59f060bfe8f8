import { ElementKind, Node, NodeKind } from 'assemblyscript'
import { Transform } from 'assemblyscript/transform'

const INLINE = /\/\/ @inline\r?\n$/

/**
 * What the compiler does for the kernels beside compiling. A function below the comment `// @inline` is compiled into its
 * callers, as with AssemblyScript's decorator, which formatters cannot read on functions. Of every record (an `@unmanaged`
 * class) size and places are exported as globals, `Name` and `Name.field:type`: the host reads them
 * (packages/hydrology/src/records.ts) instead of repeating them.
 */
export default class KernelTransform extends Transform {
  /** @param {import('assemblyscript').Parser} parser */
  afterParse(parser) {
    for (const source of parser.sources.filter(({ isLibrary }) => !isLibrary)) {
      for (const node of source.statements) {
        if (node.kind !== NodeKind.FunctionDeclaration) continue
        if (!INLINE.test(source.text.slice(0, node.range.start))) continue
        const name = Node.createIdentifierExpression('inline', node.range)
        node.decorators = [...(node.decorators ?? []), Node.createDecorator(name, null, node.range)]
      }
    }
  }

  /** @param {import('assemblyscript/binaryen').default.Module} module */
  afterCompile(module) {
    const place = (name, bytes) => {
      module.addGlobal(name, this.binaryen.i32, false, module.i32.const(bytes))
      module.addGlobalExport(name, name)
    }
    for (const element of new Set(this.program.elementsByName.values())) {
      if (element.kind !== ElementKind.ClassPrototype || element.isDeclaredInLibrary) continue
      if (!element.decoratorNodes?.some(({ name }) => name.text === 'unmanaged')) continue
      const record = this.program.resolver.resolveClass(element, null)
      place(element.name, record.nextMemoryOffset)
      for (const field of record.members.values()) {
        const property = field.kind === ElementKind.PropertyPrototype && field.isField && field.instance
        if (property) place(`${element.name}.${field.name}:${property.type}`, property.memoryOffset)
      }
    }
  }
}
