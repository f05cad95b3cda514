# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
"""check.py CONANFILE: what the recipe promises, for every combination of its options, without Conan, whose modules are
replaced by what the recipe needs of them. Where there is Conan, `conan create` runs test/test_package."""
import importlib.util
import itertools
import os
import sys
import types

recipe_file = os.path.abspath(sys.argv[1])
source = os.path.dirname(recipe_file)
wrong = []


def expect(holds, what):
    if not holds:
        wrong.append(what)


class Component:
    def __init__(self):
        self.properties = {}
        self.requires, self.system_libs, self.libs, self.defines = [], [], [], []
        self.includedirs, self.libdirs, self.bindirs = ["include"], ["lib"], ["bin"]

    def set_property(self, name, value):
        self.properties[name] = value


class Package(Component):
    def __init__(self):
        super().__init__()
        self.components = {}

    class Components(dict):
        def __missing__(self, name):
            self[name] = Component()
            return self[name]


class Options(dict):
    __getattr__ = dict.__getitem__

    def rm_safe(self, name):
        self.pop(name, None)


class Settings(dict):
    __getattr__ = dict.get

    def get_safe(self, name):
        node = self
        for part in name.split("."):
            node = node.get(part) if isinstance(node, dict) else getattr(node, part, None)
        return node


class Compiler(Settings):
    def __str__(self):
        return self["name"]


class InvalidConfiguration(Exception):
    pass


def check_min_cppstd(recipe, least):
    if int(str(recipe.settings.get_safe("compiler.cppstd")).replace("gnu", "")) < least:
        raise InvalidConfiguration("tutti: cppstd")


class Version(str):
    def __lt__(self, other):
        return [int(part) for part in self.split(".")] < [int(part) for part in other.split(".")]


def stand_in(name, **members):
    sys.modules[name] = types.ModuleType(name)
    for member, value in members.items():
        setattr(sys.modules[name], member, value)


stand_in("conan", ConanFile=object)
stand_in("conan.errors", ConanInvalidConfiguration=InvalidConfiguration)
stand_in("conan.tools")
stand_in("conan.tools.build", check_min_cppstd=check_min_cppstd)
stand_in("conan.tools.cmake", CMake=None, CMakeDeps=None, CMakeToolchain=None, cmake_layout=None)
stand_in("conan.tools.files", copy=None)
stand_in("conan.tools.scm", Version=Version)

sys.dont_write_bytecode = True
spec = importlib.util.spec_from_file_location("recipe", recipe_file)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
Recipe = module.TuttiRecipe


def made(options, compiler):
    recipe = Recipe()
    recipe.options = Options(options)
    recipe.settings = Settings(os="Linux", compiler=compiler)
    recipe.cpp_info = Package()
    recipe.cpp_info.components = Package.Components()
    recipe.required = {}
    recipe.requires = lambda reference, **traits: recipe.required.update({reference.split("/")[0]: traits})
    getattr(recipe, "configure", lambda: None)()
    return recipe


usual = Compiler(name="gcc", version="12", cppstd="20")
for values in itertools.product([True, False], repeat=5):
    chosen = dict(zip(("with_mpi", "with_boost_mpi", "with_c", "with_analysis", "compiled"), values), fPIC=True)
    title = f"options {chosen}: "
    recipe = made(chosen, usual)
    recipe.requirements()
    recipe.package_info()
    needs_mpi = chosen["with_mpi"] or chosen["with_boost_mpi"] or chosen["with_c"]
    components = recipe.cpp_info.components
    expect(recipe.name not in components, title + "a component has the package's name, and so all targets' needs")
    kind = {(False, False): "header-library", (True, False): "static-library",
            (False, True): "shared-library", (True, True): "unknown"}[chosen["compiled"], chosen["with_c"]]
    expect(recipe.package_type == kind, title + f"the package is no {kind}")
    targets = {each.properties.get("cmake_target_name") for each in components.values()}
    due = {"tutti::tutti"}
    due |= {"tutti::mpi"} if needs_mpi else set()
    due |= {"tutti::boost_mpi"} if chosen["with_boost_mpi"] else set()
    due |= {"tutti::analysis"} if chosen["with_analysis"] else set()
    due |= {"tutti::compiled"} if chosen["compiled"] else set()
    due |= {"tutti::c"} if chosen["with_c"] else set()
    expect(targets == due, title + f"targets {targets}, not {due}")
    whole = recipe.cpp_info.properties.get("cmake_target_name")
    expect(whole not in due, title + "the whole package has a part's target")
    used = set()
    for name, each in components.items():
        for folder in each.includedirs:
            expect(os.path.isdir(os.path.join(source, folder)), title + f"{name} names the folder {folder}")
        expect(not each.bindirs, title + f"{name} has programs")
        expect(bool(each.libdirs) == bool(each.libs), title + f"{name} names libraries or their folder, not both")
        for required in each.requires:
            package, _, _ = required.partition("::")
            expect(required in components or package in recipe.required, title + f"{name} requires {required}")
            used.add(package)
    expect(set(recipe.required) <= used, title + "what is required belongs to no component")
    plain = [each for each in components.values() if each.properties.get("cmake_target_name") == "tutti::tutti"]
    expect(all(each.requires == [] for each in plain), title + "tutti::tutti brings something")
    expect(all(traits.get("transitive_headers") for traits in recipe.required.values()),
           title + "callers compile the headers of what is required")


def is_refused(compiler):
    try:
        made(Recipe.default_options, compiler).validate()
    except InvalidConfiguration:
        return True
    return False


expect(not is_refused(usual), "GCC 12 with C++20 is refused")
expect(not is_refused(Compiler(name="clang", version="14.0", cppstd="gnu20")), "Clang 14 is refused")
expect(is_refused(Compiler(name="gcc", version="12", cppstd="gnu17")), "C++17 is taken")
expect(is_refused(Compiler(name="gcc", version="11", cppstd="20")), "GCC 11 is taken")
expect(is_refused(Compiler(name="clang", version="13", cppstd="20")), "Clang 13 is taken")

for attribute in ("name", "version", "description", "topics", "license", "settings", "package_type"):
    expect(getattr(Recipe, attribute, None), f"there is no {attribute}")
folder = os.path.join(source, getattr(Recipe, "test_package_folder", "test_package"))
for name in ("conanfile.py", "CMakeLists.txt"):
    expect(os.path.isfile(os.path.join(folder, name)), f"{folder} has no {name}")

for each in wrong:
    print(each)
sys.exit(bool(wrong))
